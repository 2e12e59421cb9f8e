/// What a worker says once, when it is ready for its first job, and the program that it is forked from, when it is
/// ready to fork: `{"missing":[],"version":4}`.
public struct WorkerGreeting: Codable, Equatable, Sendable {
    /// The version of this protocol.
    public var version: Int
    /// The layers of the sandbox that are not in force.
    public var missing: [MissingLayer]

    public init(version: Int = WorkerGreeting.currentVersion, missing: [MissingLayer] = []) {
        self.version = version
        self.missing = missing
    }

    /// The version that both sides speak here.
    public static let currentVersion = 4
}

/// A layer of the sandbox that this system does not give.
public struct MissingLayer: Codable, Hashable, Sendable {
    public var layer: SandboxLayer
    /// What the kernel answered, as the end of a sentence.
    public var reason: String

    public init(_ layer: SandboxLayer, reason: String) {
        self.layer = layer
        self.reason = reason
    }
}

/// The layers that a worker puts around itself, in this order.
public enum SandboxLayer: String, Codable, CaseIterable, Sendable {
    /// No descriptor but the socket, and nothing behind the standard streams.
    case descriptors
    /// No privileges and none to gain, no memory to read from outside, a group of its own, and an end with its parent.
    case process
    /// Bounds of address space, result, open files and core.
    case limits
    /// No file system and, where the kernel can tell, no TCP and no signal to others.
    case landlock
    /// No system call but those that decoding needs.
    case seccomp
}
