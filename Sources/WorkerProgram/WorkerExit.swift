internal import Glibc
internal import Kernel

/// The statuses that a worker exits with by itself; the numbers are those of sysexits(3).
enum WorkerExit: Int32 {
    /// The command line cannot be understood.
    case usage = 64
    /// A job that cannot be understood, or that cannot be answered.
    case badJob = 65
    /// The decoders do not start.
    case noDecoder = 69
    /// The sandbox could not be built; the greeting says what is missing.
    case notConfined = 71

    /// Tells standard error why, which a confined worker has no longer, and exits.
    func end(_ message: String) -> Never {
        let program = (try? RunningProgram.path().lastComponent.display) ?? "worker"
        try? StandardStream.error.writeAll(Array("\(program): \(message)\n".utf8).span)
        exit(rawValue)
    }
}
