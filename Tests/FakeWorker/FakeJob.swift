import AttachmentRules
import Glibc
import JobProtocol
import Kernel
import MediaProbe

/// One job, and what its first note asks to be done to it.
struct FakeJob {
    let request: JobRequest
    private let size = PlannedSize(width: 1, height: 1)

    init(request: JobRequest) {
        self.request = request
    }

    func run(_ received: consuming ReceivedDescriptors, on socket: borrowing MessageSocket) throws {
        var descriptors = received
        guard let source = descriptors.takeFirst(), let result = descriptors.takeFirst() else { exit(65) }
        let picture = try SealedFile(adopting: source)
        let output = MemoryFile(adopting: result)
        switch request.facts.notes.first?.message ?? "answer" {
        case "answer": try answer(picture, output, on: socket)
        case "segv": crash()
        case "abrt": abort()
        case "kill": kill(getpid(), SIGKILL)
        case "stop": kill(getpid(), SIGSTOP)
        case "exit": exit(7)
        case "sleep": sleepForEver()
        case "close-socket":
            close(3)
            close(socket.descriptor.rawValue)
            sleepForEver()
        case "segv-with-child":
            startChild()
            crash()
        case "garbage": try socket.send(Array(#"{"id":"#.utf8), descriptors: [])
        case "other-id": try send(.planned(SourceFacts(), size), id: request.id + 1, on: socket)
        case "other-kind": try send(.planned(SourceFacts(), size), id: request.id, on: socket)
        case "huge":
            let bytes = [UInt8](repeating: UInt8(ascii: " "), count: JobCoding.maximumReplyBytes + 1)
            try socket.send(bytes, descriptors: [])
        case "with-descriptor":
            let reply = JobReply(id: request.id, outcome: .planned(SourceFacts(), size))
            try socket.send(JobCoding.encode(reply), descriptors: [3])
        case "segv-once":
            // Whoever comes second finds the mark of the first.
            if isFirst() { crash() }
            try answer(picture, output, on: socket)
        case "blank-in-reply":
            let reply = JobReply(id: request.id, outcome: .planned(SourceFacts(), size))
            try socket.send(JobCoding.encode(reply) + Array(" ".utf8))
        case "member-twice":
            let reply = try JobCoding.encode(JobReply(id: request.id, outcome: .planned(SourceFacts(), size)))
            try socket.send(Array(#"{"id":\#(request.id),"#.utf8) + reply.dropFirst())
        case "other-size": try sendRendition(of: picture.size, size: PlannedSize(width: 2, height: 1), on: socket)
        case "too-large": try sendRendition(of: request.recipe.maxBytes + 1, size: size, on: socket)
        case "no-such-orientation", "long-name":
            var facts = SourceFacts()
            if request.facts.notes.first?.message == "long-name" {
                facts.colorProfile = String(repeating: "x", count: 1_001)
            } else {
                facts.orientation = 9
            }
            try sendRendition(of: picture.size, size: size, facts: facts, on: socket)
        case "foreign-refusal":
            let rejection = Rejection(.unreadable, rule: .notAFile, stage: .intake, "It is not there.")
            try send(.refused(rejection), id: request.id, on: socket)
        case "answer-and-talk":
            try answer(picture, output, on: socket)
            try send(.planned(SourceFacts(), size), id: request.id, on: socket)
            try FakeWorker.leaveMark()
        case "answer-and-die":
            try answer(picture, output, on: socket)
            exit(1)
        case "answer-and-keep-mapping":
            mmap(nil, picture.size, PROT_READ | PROT_WRITE, MAP_SHARED, output.descriptor.rawValue, 0)
            try answer(picture, output, on: socket)
        case let unknown: fatalError("no such behaviour: \(unknown)")
        }
    }

    /// Gives the picture back as it came.
    private func answer(
        _ picture: borrowing SealedFile, _ output: borrowing MemoryFile, on socket: borrowing MessageSocket
    ) throws {
        try picture.withUnsafeBytes { bytes in try output.append(bytes) }
        try sendRendition(of: picture.size, size: size, on: socket)
    }

    private func sendRendition(
        of bytes: Int, size: PlannedSize, facts: SourceFacts = SourceFacts(), on socket: borrowing MessageSocket
    ) throws {
        let rendition = Rendition(
            size: size, bytes: bytes, quality: 80, isProgressive: false, attempts: 1, reason: .asAsked,
            libvips: "none")
        try send(.rendered(facts, rendition), id: request.id, on: socket)
    }

    private func send(_ outcome: JobReply.Outcome, id: UInt64, on socket: borrowing MessageSocket) throws {
        try socket.send(JobCoding.encode(JobReply(id: id, outcome: outcome)), descriptors: [])
    }

    /// True once beside this program.
    private func isFirst() -> Bool {
        open("\(FakeWorker.command.display).mark", O_CREAT | O_EXCL, 0o600) >= 0
    }

    private func crash() {
        // A sanitizer would catch the signal and exit instead.
        signal(SIGSEGV, SIG_DFL)
        kill(getpid(), SIGSEGV)
    }

    /// A process of the same group that inherits the socket and outlives its parent.
    private func startChild() {
        var pid: pid_t = 0
        let arguments = [strdup("sleep"), strdup("1000"), nil]
        posix_spawn(&pid, "/bin/sleep", nil, nil, arguments, nil)
    }
}
