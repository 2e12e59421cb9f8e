internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe
internal import WorkerPool

/// Makes the picture that a source's bytes are to become: probe, worker, inspect.
struct PictureMaker: Sendable {
    let recipe: Recipe
    let limits: Limits
    let kind: JobRequest.Kind

    /// What was made.
    enum Result: ~Copyable {
        case planned
        case rendered(SealedFile, Rendition)
    }

    /// - Parameters:
    ///   - id: tells this job's answer from another's.
    ///   - lane: the calling thread's own.
    ///   - manifest: is told each fact as it is found, so that a refusal tells those that were.
    ///   - hear: is told what the image library remarks, in its own words.
    /// - Throws: `Rejection` for what is wrong with the source, `WorkFailure` when our own work fails.
    func picture(
        of snapshot: borrowing SealedFile, id: UInt64, on lane: WorkerLane, telling manifest: inout Manifest,
        hear: (String) -> Void
    ) throws -> Result {
        let facts = try snapshot.withBytes { (bytes) throws(Rejection) in
            try MediaProbe.examine(bytes, limits: limits)
        }
        manifest.tell(facts)
        try MediaProbe.admit(facts, limits: limits)

        let input = try DecoderInput(snapshot, facts: facts, limits: limits)
        manifest.tell(input.facts)
        let answer = try decode(input, of: snapshot, id: id, on: lane)
        for remark in answer.reply.remarks { hear(remark) }
        switch answer.reply.outcome {
        case .refused(let rejection):
            throw rejection
        case .checked, .clip:
            preconditionFailure("an answer to another question is objected to before")
        case .planned(let source, let size):
            manifest.tell(source)
            manifest.tell(planned: size)
            return .planned
        case .rendered(let source, let rendition):
            manifest.tell(source)
            return .rendered(try inspect(answer.result, as: rendition, on: lane), rendition)
        }
    }

    private func decode(
        _ input: consuming DecoderInput, of snapshot: borrowing SealedFile, id: UInt64, on lane: WorkerLane
    ) throws -> WorkerAnswer {
        let request = JobRequest(
            id: id, facts: input.facts, pictureBytes: input.pictureBytes, recipe: recipe, kind: kind)
        let answer: Swift.Result<WorkerAnswer, WorkerFault>
        do throws(WorkerPoolError) {
            // Only one of the two is ever sent: the snapshot, or the stream made of it.
            if let cleaned = input.file {
                answer = try lane.run(request, source: cleaned)
            } else {
                answer = try lane.run(request, source: snapshot)
            }
        } catch {
            throw WorkFailure.workers(error)
        }
        do throws(WorkerFault) { return try answer.get() } catch { throw error.rejection }
    }

    /// A worker that was caught at a lie is not asked again.
    private func inspect(
        _ result: consuming MemoryFile, as rendition: Rendition, on lane: WorkerLane
    ) throws(Rejection) -> SealedFile {
        do throws(Rejection) {
            return try Inspection.accept(result, as: rendition, recipe: recipe)
        } catch {
            lane.distrust()
            throw error
        }
    }
}
