import JobProtocol
import MediaPipeline

/// What a worker answers that tells the truth.
struct HonestAnswer {
    let outcome: JobReply.Outcome
    /// The result's bytes; empty for a plan.
    let result: [UInt8]

    init(to request: JobRequest, about source: UnsafeRawBufferPointer) {
        var bytes: [UInt8] = []
        outcome = MediaPipeline.process(source, request: request) { bytes = Array($0) }
        result = bytes
    }

    /// Tells the truth.
    func handOver(_ write: (UnsafeRawBufferPointer) throws -> Void) -> JobReply.Outcome {
        guard (try? result.withUnsafeBytes(write)) != nil else { fatalError("cannot write the result") }
        return outcome
    }
}
