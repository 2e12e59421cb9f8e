internal import AttachmentRules
internal import Glibc
internal import JobProtocol
internal import Kernel
internal import MediaProbe
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
        // A fork takes only the thread along that asks for it, and locks that others hold stay locked.
        guard try RunningProgram.threadCount() == 1 else { throw .resourceBusy }
    }

    /// Greets the supervisor and forks whenever it asks; true in each child, false when the supervisor is gone.
    func serve() throws -> Bool {
        try Self.rehearse()
        try MessageSocket(adopting: FileDescriptor(adopting: dup(Self.socket))).send(JobCoding.encode(WorkerGreeting()))
        return try ForkServer.serve(on: Self.socket)
    }

    /// Reads and writes one message of each kind, so that no worker is the first to: Swift looks up what a type conforms
    /// to when it first needs to know.
    private static func rehearse() throws(JobCodingError) {
        let request = JobRequest(
            id: 0, facts: MediaFacts(mediaType: .jpeg, width: 1, height: 1, colorModel: .ycbcr), pictureBytes: 0,
            recipe: Recipe(), kind: .render)
        _ = try JobCoding.decode(JobRequest.self, from: JobCoding.encode(request))
        let rendition = Rendition(
            size: PlannedSize(width: 1, height: 1), bytes: 1, quality: 80, isProgressive: false, attempts: 1,
            reason: .asAsked, libvips: "")
        _ = try JobCoding.encode(JobReply(id: 0, outcome: .rendered(SourceFacts(), rendition)))
    }
}
