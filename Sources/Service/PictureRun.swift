internal import AttachmentRules
internal import FoundationEssentials
internal import Hashing
internal import JobProtocol
internal import Kernel
internal import MediaProbe
internal import WorkerPool

/// Takes one source from where it lies to its outcome: intake, probe, worker, inspect, publish.
struct PictureRun: Sendable {
    let settings: BatchSettings
    let fingerprint: String
    /// Where results go; nil for a dry run, which writes nothing.
    let publication: Publication?

    init(settings: BatchSettings, publication: Publication?) {
        self.settings = settings
        self.publication = publication
        fingerprint = settings.recipe.fingerprint
    }

    /// - Parameters:
    ///   - id: tells this job's answer from another's.
    ///   - lane: the calling thread's own.
    /// - Throws: `BatchFailure` when our own work fails; what is wrong with the source becomes an outcome.
    func outcome(of item: BatchItem, id: UInt64, on lane: WorkerLane) throws(BatchFailure) -> PictureOutcome {
        var manifest = Manifest(
            name: item.file.name.display, status: .rejected, recipe: fingerprint,
            createdAt: Date().formatted(.iso8601),
            source: Manifest.Source(name: item.file.name.display, path: item.file.givenPath.display))
        do {
            let snapshot = try Intake.snapshot(of: item.file, limits: settings.limits)
            let sha256 = snapshot.withBytes { Digest.hex($0) }
            manifest.source.bytes = snapshot.size
            manifest.source.sha256 = sha256
            if let earlier = try unchanged(item, sha256: sha256) { return .unchanged(earlier) }

            let facts = try snapshot.withBytes { (bytes) throws(Rejection) in
                try MediaProbe.examine(bytes, limits: settings.limits)
            }
            manifest.tell(facts)
            try MediaProbe.admit(facts, limits: settings.limits)

            let input = try DecoderInput(snapshot, facts: facts, limits: settings.limits)
            manifest.tell(input.facts)
            let answer = try decode(input, of: snapshot, id: id, on: lane)
            switch answer.reply.outcome {
            case .refused(let rejection):
                throw rejection
            case .planned(let source, let size):
                manifest.tell(source)
                manifest.tell(planned: size)
                return .planned(manifest)
            case .rendered(let source, let rendition):
                manifest.tell(source)
                let picture = try inspect(answer.result, as: rendition, on: lane)
                let sha256 = picture.withBytes { Digest.hex($0) }
                // In a copy: a refusal to publish must not tell of a result.
                let describe = { [manifest, recipe = settings.recipe] (name: FilePath) in
                    var published = manifest
                    published.tell(rendition, at: item.file.target.appending(name), sha256: sha256, recipe: recipe)
                    return published
                }
                let published = try publication?.publish(picture, for: item, describe) ?? describe(item.result)
                return .published(published, proof: rendition.proof)
            }
        } catch let rejection as Rejection {
            manifest.rejection = rejection
            try record(&manifest, of: item)
            return .rejected(manifest)
        } catch {
            throw BatchFailure(error)
        }
    }

    private func record(_ manifest: inout Manifest, of item: BatchItem) throws(BatchFailure) {
        do {
            try publication?.reject(manifest, for: item)
        } catch let obstacle as Rejection {
            // The refusal is still told, but there is no place for its manifest.
            if obstacle.message != manifest.rejection?.message {
                manifest.rejection?.message += " No manifest was written: \(obstacle.message)"
            }
        } catch {
            throw BatchFailure(error)
        }
    }

    private func unchanged(_ item: BatchItem, sha256: String) throws -> Manifest? {
        guard !settings.isForced, !settings.checksQuality else { return nil }
        return try publication?.unchanged(item, sha256: sha256, recipe: fingerprint)
    }

    private func decode(
        _ input: consuming DecoderInput, of snapshot: borrowing SealedFile, id: UInt64, on lane: WorkerLane
    ) throws -> WorkerAnswer {
        let request = JobRequest(
            id: id, facts: input.facts, pictureBytes: input.pictureBytes, recipe: settings.recipe, kind: settings.kind)
        let answer: Result<WorkerAnswer, WorkerFault>
        do throws(WorkerPoolError) {
            // Only one of the two is ever sent: the snapshot, or the stream made of it.
            if let cleaned = input.file {
                answer = try lane.run(request, source: cleaned)
            } else {
                answer = try lane.run(request, source: snapshot)
            }
        } catch {
            throw BatchFailure.workers(error)
        }
        do throws(WorkerFault) { return try answer.get() } catch { throw error.rejection }
    }

    /// A worker that was caught at a lie is not asked again.
    private func inspect(
        _ result: consuming MemoryFile, as rendition: Rendition, on lane: WorkerLane
    ) throws(Rejection) -> SealedFile {
        do throws(Rejection) {
            return try Inspection.accept(result, as: rendition, recipe: settings.recipe)
        } catch {
            lane.distrust()
            throw error
        }
    }
}
