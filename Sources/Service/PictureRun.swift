internal import AttachmentRules
internal import FoundationEssentials
internal import Hashing
internal import JobProtocol
internal import Kernel
internal import WorkerPool

/// Takes one source from where it lies to its outcome: intake, picture, publish.
struct PictureRun: Sendable {
    let settings: BatchSettings
    let fingerprint: String
    /// Where results go; nil for a dry run, which writes nothing.
    let publication: Publication?
    private let maker: PictureMaker

    init(settings: BatchSettings, publication: Publication?) {
        self.settings = settings
        self.publication = publication
        fingerprint = settings.recipe.fingerprint
        maker = PictureMaker(recipe: settings.recipe, limits: settings.limits, kind: settings.kind)
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
            let snapshot = try snapshot(of: item.file)
            let sha256 = snapshot.withBytes { Digest.hex($0) }
            manifest.source.bytes = snapshot.size
            manifest.source.sha256 = sha256
            if let earlier = try unchanged(item, sha256: sha256) { return .unchanged(earlier) }

            switch try maker.picture(of: snapshot, id: id, on: lane, telling: &manifest, hear: { _ in }) {
            case .planned:
                return .planned(manifest)
            case .rendered(let picture, let rendition):
                let sha256 = picture.withBytes { Digest.hex($0) }
                // In a copy: a refusal to publish must not tell of a result.
                let describe = { [manifest, receiver = settings.receiver] (name: FilePath) in
                    var published = manifest
                    let path = item.file.target.appending(name)
                    published.tell(rendition, at: path, sha256: sha256, recipe: receiver.recipe)
                    published.judge(by: receiver)
                    return published
                }
                if let objection = describe(item.result).objection { throw objection }
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

    private func snapshot(of file: SourceFile) throws -> SealedFile {
        if let problem = file.problem { throw Intake.unreadable(problem) }
        return try Intake.snapshot(
            of: file.kind, limits: settings.limits, blamed: { !$0.isShortage }
        ) { () throws(Errno) in try file.open() }
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
}
