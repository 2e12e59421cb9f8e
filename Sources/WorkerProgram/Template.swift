internal import Glibc
internal import JobProtocol
internal import Kernel
internal import Sandbox

/// The process that workers are forked from, and what it hands down to them.
struct Template {
    /// The descriptor that the supervisor talks to: of the template first, in each worker its own.
    static let socket: Int32 = 3

    /// The bounds of each worker.
    let settings: SandboxSettings

    init(_ arguments: WorkerArguments) throws(Errno) {
        // What is mapped by now, libraries above all (measured: 154 MB, of which 30 MB are resident), comes on top of the
        // pictures' share, so that a library more or less does not change which pictures decode.
        settings = SandboxSettings(
            socket: Self.socket, parent: getpid(),
            addressSpaceBytes: try RunningProgram.mappedBytes() + arguments.addressSpaceBytes,
            resultBytes: arguments.resultBytes)
        try RunningProgram.dieWithParent(arguments.supervisor)
    }

    /// Greets the supervisor and forks whenever it asks; true in each child, false when the supervisor is gone.
    func serve() throws -> Bool {
        try MessageSocket(adopting: FileDescriptor(adopting: dup(Self.socket))).send(JobCoding.encode(WorkerGreeting()))
        return try ForkServer.serve(on: Self.socket)
    }
}
