internal import AttachmentRules
internal import FoundationEssentials
internal import Hashing
internal import JobProtocol
internal import Kernel
internal import WorkerPool

/// Takes one source from where it lies to its outcome: intake, attachment, publish.
struct PictureRun: Sendable {
    let settings: BatchSettings
    let fingerprint: String
    /// Where results go; nil for a dry run, which writes nothing.
    let publication: Publication?
    private let maker: AttachmentMaker

    init(settings: BatchSettings, publication: Publication?) {
        self.settings = settings
        self.publication = publication
        fingerprint = settings.recipe.fingerprint
        maker = AttachmentMaker(
            recipe: settings.recipe, limits: settings.limits, kind: settings.kind, makesStills: !settings.isDryRun)
    }

    /// - Parameters:
    ///   - id: tells this job's answer from another's.
    ///   - lanes: the calling thread's own.
    /// - Throws: `BatchFailure` when our own work fails; what is wrong with the source becomes an outcome.
    func outcome(of item: BatchItem, id: UInt64, on lanes: DecoderLanes) throws(BatchFailure) -> PictureOutcome {
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

            let made = try maker.attachment(of: snapshot, id: id, on: lanes, telling: &manifest, hear: { _ in })
            // A refusal must not tell of a result: the manifest that does is another.
            let describe = { [manifest, settings] (names: [FilePath]) throws(Rejection) in
                try manifest.telling(
                    made, for: settings.profile, among: settings.profiles,
                    at: names.map { item.file.target.appending($0) })
            }
            var planned = try describe(made.results.map { item.names.result($0.fileExtension).name })
            guard let publication else {
                planned.status = .planned
                return .planned(planned)
            }
            return .published(try publication.publish(made.results, for: item, describe), proof: made.proof)
        } catch let rejection as Rejection {
            manifest.rejection = rejection
            try manifest.record { try publication?.reject($0, for: item) }
            return .rejected(manifest)
        } catch {
            throw BatchFailure(error)
        }
    }

    private func unchanged(_ item: BatchItem, sha256: String) throws -> Manifest? {
        guard !settings.isForced, !settings.checksQuality else { return nil }
        return try publication?.unchanged(item, sha256: sha256, recipe: fingerprint)?.standing(
            with: settings.profile, among: settings.profiles)
    }
}
