internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe
internal import WorkerPool

/// Makes what a source's bytes are to become: of a picture a new one (probe, worker, inspect), of sound and film the
/// proof that they may go as they are, and a still picture.
struct AttachmentMaker: Sendable {
    let recipe: Recipe
    let limits: Limits
    let kind: JobRequest.Kind

    /// What was made.
    enum Result: ~Copyable {
        case planned
        case rendered(SealedFile, Rendition)
        /// The source goes as it is.
        case clip(ClipFacts, MediaType, Poster?)
    }

    /// A still picture of a film.
    struct Poster: ~Copyable {
        let picture: SealedFile
        let rendition: Rendition

        consuming func takePicture() -> SealedFile { picture }
    }

    /// - Parameters:
    ///   - id: tells this job's answer from another's.
    ///   - lanes: the calling thread's own.
    ///   - manifest: is told each fact as it is found, so that a refusal tells those that were.
    ///   - hear: is told what the libraries remark, in their own words.
    /// - Throws: `Rejection` for what is wrong with the source, `WorkFailure` when our own work fails.
    func attachment(
        of snapshot: borrowing SealedFile, id: UInt64, on lanes: DecoderLanes, telling manifest: inout Manifest,
        hear: (String) -> Void
    ) throws -> Result {
        let type = snapshot.withBytes { MediaProbe.identify($0) }
        if let type, type.family == .audio || type.family == .movie {
            return try clip(of: snapshot, as: type, id: id, on: lanes, telling: &manifest, hear: hear)
        }
        return try picture(of: snapshot, id: id, on: lanes.pictures, telling: &manifest, hear: hear)
    }

    private func picture(
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

    private func clip(
        of snapshot: borrowing SealedFile, as type: MediaType, id: UInt64, on lanes: DecoderLanes,
        telling manifest: inout Manifest, hear: (String) -> Void
    ) throws -> Result {
        manifest.source.mediaType = type
        try snapshot.withBytes { (bytes) throws(Rejection) in
            try MediaProbe.admit(clip: bytes, as: type, limits: limits)
        }
        let facts = MediaFacts(mediaType: type, width: 1, height: 1, colorModel: .other)
        let request = JobRequest(id: id, facts: facts, pictureBytes: snapshot.size, recipe: recipe, kind: .clip)
        let answer = try run(request, source: snapshot, on: lanes.clips)
        for remark in answer.reply.remarks { hear(remark) }
        switch answer.reply.outcome {
        case .refused(let rejection):
            throw rejection
        case .checked, .planned, .rendered:
            preconditionFailure("an answer to another question is objected to before")
        case .clip(let clip, let posterBytes):
            let judgement = try ClipJudgement(clip, as: type, bytes: snapshot.size, limits: limits)
            manifest.tell(clip, judgement)
            var poster: Poster?
            // A dry run makes none.
            if posterBytes > 0, kind != .plan {
                let still = try still(answer.result, bytes: posterBytes, on: lanes.clips)
                poster = try self.poster(of: still, id: id, on: lanes.pictures, hear: hear)
            }
            if clip.video != nil, poster == nil, kind != .plan { manifest.tellMissingPoster() }
            return .clip(clip, judgement.type, poster)
        }
    }

    /// The still picture that a worker wrote, from now on a stranger's file as any other.
    private func still(
        _ result: consuming MemoryFile, bytes: Int, on lane: WorkerLane
    ) throws(Rejection) -> SealedFile {
        let sealed: SealedFile
        do throws(Errno) {
            sealed = try result.seal()
        } catch {
            lane.distrust()
            throw Rejection(
                .badReply, rule: .doesNotDecode, stage: .inspect,
                "The worker still holds its still picture open for writing, or has sealed it itself (\(error)).")
        }
        guard sealed.size == bytes else {
            lane.distrust()
            throw Rejection(
                .badReply, rule: .doesNotDecode, stage: .inspect,
                "The still picture has \(sealed.size) bytes; \(bytes) were announced.")
        }
        return sealed
    }

    /// Nil where it cannot be made, which is no reason to lose the film.
    private func poster(
        of still: borrowing SealedFile, id: UInt64, on lane: WorkerLane, hear: (String) -> Void
    ) throws -> Poster? {
        // Its facts are those of a file that nobody sent.
        var unheard = Manifest(
            name: "", status: .rejected, recipe: "", createdAt: "", source: Manifest.Source(name: "", path: ""))
        let maker = AttachmentMaker(recipe: recipe, limits: limits, kind: .render)
        do {
            guard
                case .rendered(let picture, let rendition) = try maker.picture(
                    of: still, id: id, on: lane, telling: &unheard, hear: hear)
            else { return nil }
            return Poster(picture: picture, rendition: rendition)
        } catch let rejection as Rejection {
            hear(rejection.message)
            return nil
        }
    }

    private func decode(
        _ input: consuming DecoderInput, of snapshot: borrowing SealedFile, id: UInt64, on lane: WorkerLane
    ) throws -> WorkerAnswer {
        let request = JobRequest(
            id: id, facts: input.facts, pictureBytes: input.pictureBytes, recipe: recipe, kind: kind)
        // Only one of the two is ever sent: the snapshot, or the stream made of it.
        if let cleaned = input.file { return try run(request, source: cleaned, on: lane) }
        return try run(request, source: snapshot, on: lane)
    }

    private func run(
        _ request: JobRequest, source: borrowing SealedFile, on lane: WorkerLane
    ) throws -> WorkerAnswer {
        let answer: Swift.Result<WorkerAnswer, WorkerFault>
        do throws(WorkerPoolError) {
            answer = try lane.run(request, source: source)
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
