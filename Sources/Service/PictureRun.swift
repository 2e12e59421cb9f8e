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
        maker = AttachmentMaker(recipe: settings.recipe, limits: settings.limits, kind: settings.kind)
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
            let snapshot = try snapshot(of: item.file)
            let sha256 = snapshot.withBytes { Digest.hex($0) }
            manifest.source.bytes = snapshot.size
            manifest.source.sha256 = sha256
            if let earlier = try unchanged(item, sha256: sha256) { return .unchanged(earlier) }

            switch try maker.attachment(of: snapshot, id: id, on: lanes, telling: &manifest, hear: { _ in }) {
            case .planned:
                return .planned(manifest)
            case .rendered(let picture, let rendition):
                let sha256 = picture.withBytes { Digest.hex($0) }
                // In a copy: a refusal to publish must not tell of a result.
                let describe = { [manifest, recipe = settings.recipe] (name: FilePath, _: FilePath) in
                    var published = manifest
                    published.tell(rendition, at: item.file.target.appending(name), sha256: sha256, recipe: recipe)
                    return published
                }
                return try publish(Results(main: picture), "jpg", of: item, proof: rendition.proof, describe)
            case .clip(let clip, let type, let poster):
                return try publish(clip, as: type, poster: poster, source: snapshot, of: item, manifest)
            }
        } catch let rejection as Rejection {
            manifest.rejection = rejection
            try record(&manifest, of: item)
            return .rejected(manifest)
        } catch {
            throw BatchFailure(error)
        }
    }

    private func publish(
        _ clip: ClipFacts, as type: MediaType, poster: consuming AttachmentMaker.Poster?, source: consuming SealedFile,
        of item: BatchItem, _ manifest: Manifest
    ) throws -> PictureOutcome {
        let bytes = source.size
        guard let sha256 = manifest.source.sha256, let fileExtension = ClipForm(type)?.fileExtension else {
            preconditionFailure("a clip that is published was measured, and is of a type that has a form")
        }
        var results = Results(main: source)
        var still: (rendition: Rendition, sha256: String)?
        if let poster = poster.take() {
            still = (poster.rendition, poster.picture.withBytes { Digest.hex($0) })
            results.poster = poster.takePicture()
        }
        let target = item.file.target
        let describe = { [still] (name: FilePath, posterName: FilePath) in
            var published = manifest
            published.tell(clip, as: type, at: target.appending(name), sha256: sha256, bytes: bytes)
            published.poster = still.map {
                Manifest.Output($0.rendition, at: target.appending(posterName), sha256: $0.sha256)
            }
            return published
        }
        if settings.isDryRun {
            var planned = describe(item.result(fileExtension).name, item.picture.name)
            planned.status = .planned
            return .planned(planned)
        }
        return try publish(results, fileExtension, of: item, proof: nil, describe)
    }

    private func publish(
        _ results: consuming Results, _ fileExtension: String, of item: BatchItem, proof: Rendition.Proof?,
        _ describe: (FilePath, FilePath) -> Manifest
    ) throws -> PictureOutcome {
        guard let publication else {
            return .published(describe(item.result(fileExtension).name, item.picture.name), proof: proof)
        }
        return .published(
            try publication.publish(results, fileExtension: fileExtension, for: item, describe), proof: proof)
    }

    private func snapshot(of file: SourceFile) throws -> SealedFile {
        if let problem = file.problem { throw Intake.unreadable(problem) }
        return try Intake.snapshot(
            of: file.kind, limits: settings.limits, blamed: { !$0.isShortage }
        ) { () throws(Errno) in
            let root = try FileDescriptor.open(file.root, flags: .directory)
            return try FileDescriptor.openBeneath(file.path, relativeTo: root)
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
}
