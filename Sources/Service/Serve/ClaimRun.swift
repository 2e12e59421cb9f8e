internal import AttachmentRules
internal import Configuration
internal import FoundationEssentials
internal import Hashing
internal import JobProtocol
internal import Kernel
internal import Spool
internal import WorkerPool

/// Takes one claim to its decision: intake, reuse of what is published already, picture.
struct ClaimRun: Sendable {
    let settings: ServeSettings
    let limits = Limits()
    private let maker: PictureMaker
    private let fingerprint: String

    init(_ settings: ServeSettings) {
        self.settings = settings
        maker = PictureMaker(recipe: settings.profile.recipe, limits: limits, kind: .render)
        fingerprint = settings.profile.recipe.fingerprint
    }

    /// What the outcome is, without the claim that it is for.
    struct Outcome: ~Copyable {
        var manifest: Manifest
        var picture: SealedFile?
        var key: String?
        var isReused = false
    }

    /// - Parameters:
    ///   - isSuspect: a service died over it, so that it is not to be worked on again.
    ///   - isPatient: an error in reading it that need not be its own is a failure of ours.
    ///   - lane: the calling thread's own.
    ///   - hear: is told what the image library remarks.
    /// - Throws: `WorkFailure` when our own work fails; what is wrong with the original becomes an outcome.
    func outcome(
        of claim: borrowing Claim, isSuspect: Bool, isPatient: Bool, in spool: Spool, on lane: WorkerLane,
        hear: (String) -> Void
    ) throws(WorkFailure) -> Outcome {
        let name = claim.name.display
        var manifest = Manifest(
            name: name, status: .rejected, recipe: fingerprint, createdAt: Date().formatted(.iso8601),
            source: Manifest.Source(name: name, path: name))
        do {
            let snapshot = try snapshot(of: claim, in: spool, isPatient: isPatient)
            let sha256 = snapshot.withBytes { Digest.hex($0) }
            manifest.source.bytes = snapshot.size
            manifest.source.sha256 = sha256
            let key = "\(sha256)-\(fingerprint)"
            if let earlier = published(sha256, key: key, name: claim.name, in: spool) {
                manifest.repeat(earlier)
                manifest.judge(by: settings.profile)
                return Outcome(manifest: manifest.addressed(by: settings), key: key, isReused: true)
            }
            if isSuspect { throw Self.crashed }

            switch try maker.picture(of: snapshot, id: claim.id.value, on: lane, telling: &manifest, hear: hear) {
            case .planned:
                preconditionFailure("a service renders what it is given")
            case .rendered(let picture, let rendition):
                let digest = picture.withBytes { Digest.hex($0) }
                manifest.tell(
                    rendition, at: Spool.mediaPath(digest: digest, fileExtension: "jpg"), sha256: digest,
                    recipe: maker.recipe
                )
                manifest.judge(by: settings.profile)
                if let objection = manifest.objection {
                    manifest.withdrawOutput()
                    throw objection
                }
                return Outcome(manifest: manifest.addressed(by: settings), picture: picture, key: key)
            }
        } catch let rejection as Rejection {
            manifest.rejection = rejection
            return Outcome(manifest: manifest)
        } catch let failure as WorkFailure {
            throw failure
        } catch {
            preconditionFailure("a claim ends with an outcome or a failure of ours, not with \(error)")
        }
    }

    private func snapshot(of claim: borrowing Claim, in spool: Spool, isPatient: Bool) throws -> SealedFile {
        let blamed = { (error: Errno) in
            !isPatient && !error.isShortage || Self.ownErrors.contains(error) && spool.isAtHand
        }
        return try Intake.snapshot(of: claim.kind, limits: limits, blamed: blamed) { () throws(Errno) in
            try claim.open()
        }
    }

    // Any other error may be the disk's, and pass.
    private static let ownErrors: Set<Errno> = [
        .permissionDenied, .notPermitted, .symbolicLink, .noSuchFileOrDirectory, .invalidArgument,
    ]

    /// The manifest of the same bytes and recipe, under whatever name, whose picture is still what it was.
    private func published(_ sha256: String, key: String, name: FilePath, in spool: Spool) -> Manifest? {
        for document in [spool.remembered(key), spool.standing(manifestFor: name)] {
            if let document, let manifest = ManifestCoding.read(document), manifest.status == .published,
                manifest.source.sha256 == sha256, manifest.recipe == fingerprint, let output = manifest.output,
                let digest = output.sha256, let bytes = output.bytes,
                spool.holds(media: Spool.mediaPath(digest: digest, fileExtension: "jpg"), digest: digest, bytes: bytes)
            {
                return manifest
            }
        }
        return nil
    }

    private static let crashed = Rejection(
        .crashed, rule: .doesNotDecode, stage: .worker,
        "The service died while it worked on this file and does not try again; save the picture anew and send that.")
}

extension Manifest {
    /// Takes over what an earlier outcome of the same bytes says of source and result.
    fileprivate mutating func `repeat`(_ earlier: Manifest) {
        let (name, path) = (source.name, source.path)
        source = earlier.source
        source.name = name
        source.path = path
        status = .published
        id = earlier.id
        output = earlier.output
        encoder = earlier.encoder
        memory = earlier.memory
        attachment = earlier.attachment
        notes = earlier.notes
    }

    /// Tells of no result any more: one that is not to be published.
    fileprivate mutating func withdrawOutput() {
        (status, id, output, encoder, memory) = (.rejected, nil, nil, nil, nil)
        (attachment, checks, profiles) = (nil, nil, nil)
    }

    /// With the URL of its result.
    fileprivate consuming func addressed(by settings: ServeSettings) -> Manifest {
        if let path = output?.path, path.hasPrefix("media/") {
            output?.url = settings.url(of: String(path.dropFirst("media/".count)))
        }
        return self
    }
}
