public import JobProtocol
internal import Glibc
internal import Kernel
internal import Sandbox

/// A program that works for the supervisor: it initialises its decoders once and then forks workers, each of which
/// shuts itself in before its first job.
///
/// The process that forks never sees a picture, and a worker never sees a file system: all that decoders read from it
/// they have to have read when `start` returns.
public struct WorkerProgram {
    /// One file: what it is, what is asked for, where the result goes.
    public typealias Process = (UnsafeRawBufferPointer, JobRequest, (UnsafeRawBufferPointer) throws -> Void) ->
        JobReply.Outcome

    private let start: () throws -> Void
    private let process: Process
    private let remarks: () -> [String]

    /// - Parameters:
    ///   - start: initialises the decoders; must not start a thread, which no fork would take along.
    ///   - remarks: takes what the decoders have said since it was last asked, within the bounds of `JobReply.remarks`.
    ///   - process: makes one picture, or reads one sound or film.
    public init(
        start: @escaping () throws -> Void, remarks: @escaping () -> [String], process: @escaping Process
    ) {
        self.start = start
        self.remarks = remarks
        self.process = process
    }

    /// Serves the supervisor at descriptor 3 until that goes away.
    ///
    /// - Parameter isConfined: false only in programs that are never installed: to measure what the sandbox costs, and
    ///   to misbehave in tests.
    public func run(isConfined: Bool = true) -> Never {
        guard let arguments = WorkerArguments(RunningProgram.arguments.map { String(decoding: $0, as: UTF8.self) })
        else {
            WorkerExit.usage.end("arguments: \(WorkerArguments.usage) (mediaprep starts this by itself)")
        }
        do {
            try start()
        } catch {
            WorkerExit.noDecoder.end("cannot start the decoders: \(error)")
        }
        do {
            let template = try Template(arguments)
            guard try template.serve() else { exit(0) }
            let missing = isConfined ? Sandbox.enter(template.settings) : []
            let socket = MessageSocket(adopting: FileDescriptor(adopting: Template.socket))
            try socket.send(JobCoding.encode(WorkerGreeting(missing: missing)))
            if !missing.isEmpty, !arguments.allowsWeakSandbox { exit(WorkerExit.notConfined.rawValue) }
            try JobLoop(process: process, remarks: remarks).run(on: socket)
        } catch {
            WorkerExit.badJob.end("cannot go on: \(error)")
        }
        exit(0)
    }
}
