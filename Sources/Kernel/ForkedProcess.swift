import Glibc

/// Owns a child of a `ForkServer`, in a process group of its own once the child has made one; at the end of its life
/// the group is killed and the child reaped.
public struct ForkedProcess: ~Copyable {
    public let pid: Int32
    /// A pidfd, which becomes readable when the process has ended.
    public let processDescriptor: FileDescriptor
    /// Kept alive: its children die with it.
    private let server: ForkServer
    private var end: End?

    /// How a process ended, and what it took.
    public struct End: Equatable, Sendable {
        public var status: ExitStatus
        /// Most memory that it had resident, in bytes.
        public var peakBytes: Int
    }

    init(pid: Int32, processDescriptor: consuming FileDescriptor, server: ForkServer) {
        self.pid = pid
        self.processDescriptor = processDescriptor
        self.server = server
        end = nil
    }

    deinit {
        if end == nil {
            Self.kill(pid)
            _ = try? server.reap(pid, until: Self.patience)
        }
    }

    /// kill(2) with SIGKILL of the process and its group; does nothing once it was waited for.
    public func kill() {
        if end == nil { Self.kill(pid) }
    }

    /// Waits for the end, which is to be near. Asked again, it gives the same answer.
    ///
    /// Where the server is gone, so is the child, and nobody can say how it ended.
    public mutating func wait() -> End {
        if let end { return end }
        let end = (try? server.reap(pid, until: Self.patience)) ?? End(status: .unknown, peakBytes: 0)
        self.end = end
        return end
    }

    /// A process that was killed needs no such time to end, but for one that waits for a dead disk.
    private static var patience: MonotonicInstant { .now.advanced(by: .seconds(10)) }

    private static func kill(_ pid: Int32) {
        // Until it has a group of its own there is nothing but the process.
        _ = Glibc.kill(-pid, SIGKILL)
        _ = Glibc.kill(pid, SIGKILL)
    }
}
