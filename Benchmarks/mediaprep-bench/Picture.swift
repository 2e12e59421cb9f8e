internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaPipeline
internal import MediaProbe
internal import WorkerPool

/// One source as a decoder gets it, and the job that it is.
struct Picture: ~Copyable {
    let name: String
    let request: JobRequest
    let source: SealedFile

    init(name: String, bytes: [UInt8]) throws {
        self.name = name
        let facts = try MediaProbe.examine(bytes.span, limits: Limits())
        let stream = DecoderStream(of: bytes.span, facts: facts, limits: Limits())
        let file = try MemoryFile.create(name: "source")
        for piece in stream.picture {
            switch piece {
            case .source(let range): try bytes.withUnsafeBytes { try file.append(.init(rebasing: $0[range])) }
            case .new(let new): try new.withUnsafeBytes { try file.append($0) }
            }
        }
        try stream.exif.withUnsafeBytes { try file.append($0) }
        source = try file.seal()
        request = JobRequest(
            id: 1, facts: stream.facts, pictureBytes: stream.pictureBytes, recipe: Recipe(), kind: .render)
    }

    /// The whole job in this process, the result in a memory file as a worker leaves it.
    func processHere() throws {
        let result = try MemoryFile.create(name: "result")
        let outcome = source.withUnsafeBytes { bytes in
            MediaPipeline.process(bytes, request: request, write: { try result.append($0) })
        }
        guard case .rendered = outcome else { throw Failure(what: "\(name): \(outcome)") }
    }

    /// The same job by a worker.
    func process(on lane: WorkerLane) throws {
        let answer = try lane.run(request, source: source).get()
        guard case .rendered = answer.reply.outcome else { throw Failure(what: "\(name): \(answer.reply.outcome)") }
    }

    struct Failure: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }
}
