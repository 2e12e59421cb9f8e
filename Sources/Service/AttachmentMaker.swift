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
    /// What is asked of a picture.
    let kind: JobRequest.Kind
    /// Whether films get their still pictures, which a dry run makes none of.
    let makesStills: Bool

    /// - Parameters:
    ///   - id: tells this job's answer from another's.
    ///   - lanes: the calling thread's own.
    ///   - manifest: is told each fact as it is found, so that a refusal tells those that were.
    ///   - hear: is told what the libraries remark, in their own words.
    /// - Throws: `Rejection` for what is wrong with the source, `WorkFailure` when our own work fails.
    func attachment(
        of snapshot: consuming SealedFile, id: UInt64, on lanes: DecoderLanes, telling manifest: inout Manifest,
        hear: (String) -> Void
    ) throws -> MadeAttachment {
        let type = snapshot.withBytes { MediaProbe.identify($0) }
        if let type, type.family == .audio || type.family == .movie {
            return try clip(of: snapshot, as: type, id: id, on: lanes, telling: &manifest, hear: hear)
        }
        switch try picture(of: snapshot, id: id, on: lanes.pictures, telling: &manifest, hear: hear) {
        case .planned(let size): return MadeAttachment(.planned(size), results: [])
        case .rendered(let picture, let rendition): return MadeAttachment(.picture(rendition), results: [picture])
        }
    }

    private enum Picture {
        case planned(PlannedSize)
        case rendered(ResultFile, Rendition)
    }

    private func picture(
        of snapshot: borrowing SealedFile, id: UInt64, on lane: WorkerLane, telling manifest: inout Manifest,
        hear: (String) -> Void
    ) throws -> Picture {
        let facts = try snapshot.withBytes { (bytes) throws(Rejection) in
            try MediaProbe.examine(bytes, limits: limits)
        }
        manifest.tell(facts)
        try MediaProbe.admit(facts, limits: limits)

        let input = try DecoderInput(snapshot, facts: facts, limits: limits)
        manifest.tell(input.facts)
        let answer = try Self.given(lane.run(input, of: snapshot, id: id, recipe: recipe, kind: kind))
        for remark in answer.reply.remarks { hear(remark) }
        switch answer.reply.outcome {
        case .refused(let rejection):
            throw rejection
        case .checked, .clip:
            preconditionFailure("an answer to another question is objected to before")
        case .planned(let source, let size):
            manifest.tell(source)
            return .planned(size)
        case .rendered(let source, let rendition):
            manifest.tell(source)
            let picture = try inspect(answer.result, as: rendition, on: lane)
            return .rendered(ResultFile(picture, fileExtension: "jpg"), rendition)
        }
    }

    private func clip(
        of snapshot: consuming SealedFile, as type: MediaType, id: UInt64, on lanes: DecoderLanes,
        telling manifest: inout Manifest, hear: (String) -> Void
    ) throws -> MadeAttachment {
        manifest.source.mediaType = type
        try Self.admit(manifest.source.name, as: type)
        try snapshot.withBytes { (bytes) throws(Rejection) in
            try MediaProbe.admit(clip: bytes, as: type)
        }
        let answer = try Self.given(try lanes.read(snapshot, as: type, id: id, recipe: recipe))
        for remark in answer.reply.remarks { hear(remark) }
        switch answer.reply.outcome {
        case .refused(let rejection):
            throw rejection
        case .checked, .planned, .rendered:
            preconditionFailure("an answer to another question is objected to before")
        case .clip(let clip, let posterBytes):
            let type = clip.published(as: type)
            manifest.tell(clip, as: type)
            var results: [ResultFile] = []
            var still: Rendition?
            if posterBytes > 0, makesStills {
                let frame = try frame(answer.result, bytes: posterBytes, on: lanes.clips)
                if let poster = try poster(of: frame, id: id, on: lanes.pictures, hear: hear) {
                    results.append(poster.file)
                    still = poster.rendition
                }
            }
            if clip.video != nil, still == nil, makesStills { manifest.tellMissingPoster() }
            results.insert(ResultFile(snapshot, fileExtension: type.preferredExtension), at: 0)
            return MadeAttachment(.clip(clip, type, poster: still), results: results)
        }
    }

    /// A film under a picture's name is no slip of a phone, and whoever looks at names alone would take it for a picture.
    private static func admit(_ name: String, as type: MediaType) throws(Rejection) {
        guard let ending = FilePath(name).fileExtension else { return }
        let named = MediaType.named(ending.lowercased())
        guard named.contains(where: { $0.family == .image }), !named.contains(where: { $0.family == type.family })
        else { return }
        throw Rejection(
            .extensionMismatch, rule: .extensionMismatch, stage: .probe,
            "The content is \(type.rawValue), and the name says that it is a picture; name it .\(type.preferredExtension)."
        )
    }

    /// The still picture that a worker wrote, from now on a stranger's file as any other.
    private func frame(
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
    ) throws -> (file: ResultFile, rendition: Rendition)? {
        // Its facts are those of a file that nobody sent.
        var unheard = Manifest(
            name: "", status: .rejected, recipe: "", createdAt: "", source: Manifest.Source(name: "", path: ""))
        let maker = AttachmentMaker(recipe: recipe, limits: limits, kind: .render, makesStills: makesStills)
        do {
            guard
                case .rendered(let picture, let rendition) = try maker.picture(
                    of: still, id: id, on: lane, telling: &unheard, hear: hear)
            else { return nil }
            return (picture, rendition)
        } catch let rejection as Rejection {
            hear(rejection.message)
            return nil
        }
    }

    /// The answer of a worker that lived to give one.
    private static func given(
        _ answer: consuming Swift.Result<WorkerAnswer, WorkerFault>
    ) throws(Rejection) -> WorkerAnswer {
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
