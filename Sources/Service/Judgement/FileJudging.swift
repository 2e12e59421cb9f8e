internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe
internal import WorkerPool

/// Takes one file from where it lies to what the rules say of it: intake, probe, complete decode, rules.
struct FileJudging: Sendable {
    let settings: JudgeSettings

    /// - Parameters:
    ///   - id: tells this job's answer from another's.
    ///   - lanes: the calling thread's own.
    /// - Throws: `BatchFailure` when our own work fails; what is wrong with the file becomes a finding.
    func judgement(
        of file: SourceFile, id: UInt64, on lanes: DecoderLanes
    ) throws(BatchFailure) -> FileJudgement {
        var judgement = FileJudgement(file: file.givenPath.display, profile: settings.profile.name)
        do {
            let facts = try facts(of: file, id: id, on: lanes, &judgement.isDecoded)
            judgement.tell(facts, for: settings.profile)
            judgement.findings = findings(of: facts)
        } catch let rejection as Rejection {
            judgement.findings = Validator.findings(of: rejection, profile: settings.profile)
        } catch {
            throw BatchFailure(error)
        }
        return judgement
    }

    private func findings(of facts: AttachmentFacts) -> [Finding] {
        var findings = Validator.findings(of: facts, profile: settings.profile, strict: settings.isStrict)
        if let url = settings.url {
            findings += URLRules.findings(url: url, mediaType: facts.mediaType, profile: settings.profile)
        }
        if let response = settings.response, let type = facts.mediaType {
            findings += ResponseRules.findings(
                of: response, mediaType: type, bytes: facts.bytes, profile: settings.profile)
        }
        if let options = settings.options {
            findings += OptionRules.findings(of: options, facts: facts, profile: settings.profile)
        }
        return findings
    }

    private func facts(
        of file: SourceFile, id: UInt64, on lanes: DecoderLanes, _ isDecoded: inout Bool?
    ) throws -> AttachmentFacts {
        let snapshot: SealedFile
        do {
            snapshot = try Intake.snapshot(of: file, limits: settings.limits)
        } catch let rejection as Rejection where rejection.code == .fileTooLarge {
            return try largeFacts(of: file)
        } catch let rejection as Rejection where rejection.code == .empty {
            return AttachmentFacts(bytes: 0, mediaType: nil)
        }
        let type = snapshot.withBytes { MediaProbe.identify($0) }
        var facts = described(AttachmentFacts(bytes: snapshot.size, mediaType: type), as: file)
        switch type?.family {
        case .image:
            let found: MediaFacts
            do throws(Rejection) {
                found = try read(snapshot, into: &facts)
            } catch {
                facts.failure = error
                return facts
            }
            let outcome = try check(snapshot, found, id: id, on: lanes.pictures)
            if case .checked = outcome { isDecoded = true } else { isDecoded = false }
            facts.take(outcome)
        case .audio, .movie:
            guard let type, type.support != .none else { break }
            do throws(Rejection) {
                try snapshot.withBytes { (bytes) throws(Rejection) in
                    try MediaProbe.admit(clip: bytes, as: type)
                }
            } catch {
                facts.failure = error
                return facts
            }
            let outcome: JobReply.Outcome
            switch try lanes.read(snapshot, as: type, id: id, recipe: settings.profile.recipe) {
            case .success(let answer): outcome = answer.reply.outcome
            case .failure(let fault): outcome = .refused(fault.rejection)
            }
            if case .clip(let clip, _) = outcome { isDecoded = clip.isDecodedWhole } else { isDecoded = false }
            facts.take(outcome)
        case nil: break
        }
        return facts
    }

    /// What the structure says of a picture.
    private func read(
        _ snapshot: borrowing SealedFile, into facts: inout AttachmentFacts
    ) throws(Rejection) -> MediaFacts {
        let limits = settings.limits
        let (found, upright) = try snapshot.withBytes { (bytes) throws(Rejection) in
            let found = try MediaProbe.examine(bytes, limits: limits)
            return (found, MediaProbe.upright(bytes, facts: found, limits: limits))
        }
        facts.picture = AttachmentFacts.Picture(found, upright)
        try MediaProbe.admit(found, limits: limits)
        return found
    }

    /// Of a file that is larger than what is ever decoded: what its structure says.
    private func largeFacts(of file: SourceFile) throws(Rejection) -> AttachmentFacts {
        let header = try FileHeader(of: file, limits: Estimator.limits)
        var facts = described(AttachmentFacts(bytes: header.bytes, mediaType: header.mediaType), as: file)
        guard header.mediaType?.family == .image else { return facts }
        do throws(Rejection) {
            let found = try header.facts.get()
            if let upright = header.upright { facts.picture = AttachmentFacts.Picture(found, upright) }
            // What is cut is told; that it is more than is ever decoded here is no fault of its own.
            if !found.isComplete { try MediaProbe.admit(found, limits: Estimator.limits) }
        } catch {
            facts.failure = error
        }
        return facts
    }

    private func described(_ facts: AttachmentFacts, as file: SourceFile) -> AttachmentFacts {
        var facts = facts
        facts.fileExtension = file.name.fileExtension
        facts.typeHint = settings.typeHint
        return facts
    }

    /// Has a worker decode all of it.
    ///
    /// - Throws: `WorkFailure`.
    private func check(
        _ snapshot: borrowing SealedFile, _ found: MediaFacts, id: UInt64, on lane: WorkerLane
    ) throws(WorkFailure) -> JobReply.Outcome {
        let input = try DecoderInput(snapshot, facts: found, limits: settings.limits, allFrames: true)
        let answer = try lane.run(input, of: snapshot, id: id, recipe: settings.profile.recipe, kind: .check)
        switch answer {
        case .success(let answer): return answer.reply.outcome
        case .failure(let fault): return .refused(fault.rejection)
        }
    }
}
