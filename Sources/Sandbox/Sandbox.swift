public import JobProtocol
internal import Kernel

/// What a process takes from itself before it sees the first byte of a stranger's file.
///
/// Afterwards it can compute, use memory up to a limit, read what it was sent, write a result up to a limit and answer
/// on its socket. It cannot open, connect, start or signal anything. Nothing of it can be undone.
public enum Sandbox {
    /// Puts up every layer, each asked for whether it took effect; a layer that fails does not keep the next from being
    /// put up.
    ///
    /// Call it before the process has a second thread: Landlock holds for the calling thread and its later ones.
    ///
    /// - Returns: the layers that are not in force. What is to be done about them is for the caller to decide.
    public static func enter(_ settings: SandboxSettings) -> [MissingLayer] {
        SandboxLayer.allCases.compactMap { layer in
            do throws(SandboxError) {
                switch layer {
                case .descriptors: try DescriptorLayer.enter(keeping: settings.socket)
                case .process: try ProcessLayer.enter(parent: settings.parent)
                case .limits: try LimitLayer.enter(settings)
                case .landlock: try LandlockLayer.enter()
                case .seccomp: try SystemCallLayer.enter(socket: settings.socket)
                }
                return nil
            } catch {
                return MissingLayer(layer, reason: error.reason)
            }
        }
    }
}

/// The bounds of one sandbox.
public struct SandboxSettings: Sendable {
    /// The one descriptor that stays open beside the standard streams.
    public var socket: Int32
    /// The process that must not be outlived.
    public var parent: Int32
    /// Most address space, in bytes, with everything that is mapped already.
    public var addressSpaceBytes: UInt64
    /// Most bytes of one result.
    public var resultBytes: UInt64

    public init(socket: Int32, parent: Int32, addressSpaceBytes: UInt64, resultBytes: UInt64) {
        self.socket = socket
        self.parent = parent
        self.addressSpaceBytes = addressSpaceBytes
        self.resultBytes = resultBytes
    }
}

/// Why a layer is not in force.
struct SandboxError: Error {
    /// The end of a sentence.
    var reason: String

    init(_ reason: String) { self.reason = reason }

    init(_ call: String, _ error: Errno) { reason = "\(call): \(error)" }
}
