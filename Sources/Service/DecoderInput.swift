internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe
internal import WorkerPool

/// What the decoder is shown: the snapshot itself or, where a file holds more than its decoder needs, a stream made of
/// it (`DecoderStream`). With nothing in it but the picture, whatever a decoder still complains about is damage.
struct DecoderInput: ~Copyable {
    /// The facts, with offsets into what the decoder is shown.
    let facts: MediaFacts
    /// The length of the picture's own stream; an EXIF block may follow.
    let pictureBytes: Int
    /// The stream; nil when the snapshot can be shown as it is.
    let file: SealedFile?

    /// - Parameter allFrames: whether the frames of a GIF after the first stay in it.
    init(
        _ snapshot: borrowing SealedFile, facts: MediaFacts, limits: Limits, allFrames: Bool = false
    ) throws(WorkFailure) {
        let stream = snapshot.withBytes {
            DecoderStream(of: $0, facts: facts, limits: limits, allFrames: allFrames)
        }
        self.facts = stream.facts
        pictureBytes = stream.pictureBytes
        guard !stream.isFile(of: snapshot.size) else {
            file = nil
            return
        }
        do throws(Errno) {
            let copy = try MemoryFile.create(name: "source")
            for piece in stream.picture {
                switch piece {
                case .source(let range):
                    try snapshot.withUnsafeBytes { (bytes) throws(Errno) in
                        try copy.append(UnsafeRawBufferPointer(rebasing: bytes[range]))
                    }
                case .new(let bytes): try copy.append(bytes)
                }
            }
            try copy.append(stream.exif)
            file = try copy.seal()
        } catch {
            throw .resources(error)
        }
    }
}

extension WorkerLane {
    /// Has a worker work on what its decoder is shown of a snapshot.
    func run(
        _ input: borrowing DecoderInput, of snapshot: borrowing SealedFile, id: UInt64, recipe: Recipe,
        kind: JobRequest.Kind
    ) throws(WorkFailure) -> Result<WorkerAnswer, WorkerFault> {
        let request = JobRequest(
            id: id, facts: input.facts, pictureBytes: input.pictureBytes, recipe: recipe, kind: kind)
        do throws(WorkerPoolError) {
            // Only one of the two is ever sent: the snapshot, or the stream made of it.
            switch input.file {
            case .some(let stream): return try run(request, source: stream)
            case nil: return try run(request, source: snapshot)
            }
        } catch {
            throw .workers(error)
        }
    }
}

extension MemoryFile {
    fileprivate func append(_ bytes: [UInt8]) throws(Errno) {
        try bytes.span.bytes.withUnsafeBytes { (bytes) throws(Errno) in try append(bytes) }
    }
}
