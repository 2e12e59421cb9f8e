internal import AttachmentRules
internal import Configuration
internal import FoundationEssentials
internal import Hashing
internal import JobProtocol
internal import Kernel
internal import Spool
internal import WorkerPool

/// Takes one claim to its decision: intake, reuse of what is published already, one attachment or those of a push.
struct ClaimRun: Sendable {
    let settings: ServeSettings
    let limits = Limits()

    init(_ settings: ServeSettings) {
        self.settings = settings
    }

    /// What the outcome is, without the claim that it is for.
    struct Outcome: ~Copyable, Sendable {
        var manifest: Manifest
        /// What is to be published before the manifest that names it.
        var results: [ResultFile] = []
        var key: String?
        var isReused = false
    }

    /// How one claim is worked on.
    struct Conduct {
        /// A service died over it, so that it is not to be worked on again.
        let isSuspect: Bool
        /// An error in reading it that need not be its own is a failure of ours.
        let isPatient: Bool
        /// Is called before each job, which has to end by itself.
        let begin: () -> Void
        /// Is told what the image library remarks, and on which file.
        let hear: (String, FilePath) -> Void
    }

    /// - Parameter lane: the calling thread's own.
    /// - Throws: `WorkFailure` when our own work fails; what is wrong with the original becomes an outcome.
    func outcome(
        of claim: borrowing Claim, in spool: Spool, on lanes: DecoderLanes, _ conduct: Conduct
    ) throws(WorkFailure) -> Outcome {
        let name = claim.name.display
        var manifest = Manifest(
            name: name, status: .rejected, recipe: settings.profile.recipe.fingerprint,
            createdAt: Date().formatted(.iso8601), source: Manifest.Source(name: name, path: name))
        do {
            if claim.kind == .directory { return try push(claim, in: spool, on: lanes, conduct, &manifest) }
            return try attachment(claim, in: spool, on: lanes, conduct, &manifest)
        } catch let rejection as Rejection {
            manifest.rejection = rejection
            return Outcome(manifest: manifest)
        } catch let failure as WorkFailure {
            throw failure
        } catch {
            preconditionFailure("a claim ends with an outcome or a failure of ours, not with \(error)")
        }
    }

    private func attachment(
        _ claim: borrowing Claim, in spool: Spool, on lanes: DecoderLanes, _ conduct: Conduct,
        _ manifest: inout Manifest
    ) throws -> Outcome {
        let recipe = settings.profile.recipe
        let blamed = blamed(in: spool, conduct)
        let snapshot = try Intake.snapshot(of: claim.kind, limits: limits, blamed: blamed) { () throws(Errno) in
            try claim.open()
        }
        let sha256 = snapshot.withBytes { Digest.hex($0) }
        manifest.source.bytes = snapshot.size
        manifest.source.sha256 = sha256
        let key = "\(sha256)-\(manifest.recipe)"
        if let earlier = published(as: key, of: manifest, name: claim.name, in: spool) {
            return Outcome(
                manifest: try manifest.repeating(earlier).judged(by: settings.profile, among: settings.profiles)
                    .addressed(by: settings),
                key: key,
                isReused: true)
        }
        if conduct.isSuspect { throw Self.crashed }

        let name = claim.name
        let maker = AttachmentMaker(recipe: recipe, limits: limits, kind: .render, makesStills: true)
        conduct.begin()
        let made = try maker.attachment(of: snapshot, id: claim.id.value, on: lanes, telling: &manifest) {
            conduct.hear($0, name)
        }
        let told = try manifest.telling(
            made, for: settings.profile, among: settings.profiles, at: made.results.map(\.mediaPath))
        return Outcome(manifest: told.addressed(by: settings), results: made.results, key: key)
    }

    private func push(
        _ claim: borrowing Claim, in spool: Spool, on lanes: DecoderLanes, _ conduct: Conduct,
        _ manifest: inout Manifest
    ) throws -> Outcome {
        let blamed = blamed(in: spool, conduct)
        let place = claim.place
        let open = { () throws(Errno) in try place.open() }
        var listing = GroupListing(leavingOut: NamePatterns(settings.ignoredNames))
        try listing.read(blamed: blamed, open)
        let receiver = try listing.receiver(among: settings.profiles, standard: settings.profile)
        let recipe = receiver.recipe
        manifest.recipe = recipe.fingerprint
        let name = claim.name
        let maker = GroupMaker(
            listing: listing, recipe: recipe, limits: limits, kind: .render, firstID: claim.id.value, lanes: lanes,
            open: open, blamed: blamed, begin: conduct.begin
        ) { conduct.hear($0, name.appending($1)) }
        var attachments = manifest.attachments(of: listing)
        let digest = try maker.digest(&attachments)
        manifest.tell(listing, attachments, digest: digest)
        let key = digest.map { "\($0)-\(manifest.recipe)" }
        if let key, let earlier = published(as: key, of: manifest, name: claim.name, in: spool) {
            return Outcome(
                manifest: try manifest.repeating(earlier).judged(by: receiver, among: settings.profiles).addressed(
                    by: settings), key: key,
                isReused: true)
        }
        if conduct.isSuspect { throw Self.crashed }
        do {
            let (plan, clips) = try maker.plan(&attachments)
            let made = try maker.make(&attachments, by: plan, besides: clips)
            let told = try maker.tell(made, of: &attachments, for: receiver, among: settings.profiles) {
                $1.map(\.mediaPath)
            }
            manifest.tell(told, by: plan)
            return Outcome(manifest: manifest.addressed(by: settings), results: made.flatMap(\.results), key: key)
        } catch let rejection as Rejection {
            manifest.attachments = attachments
            throw rejection
        }
    }

    private func blamed(in spool: Spool, _ conduct: Conduct) -> (Errno) -> Bool {
        { error in !conduct.isPatient && !error.isShortage || Self.ownErrors.contains(error) && spool.isAtHand }
    }

    // Any other error may be the disk's, and pass.
    private static let ownErrors: Set<Errno> = [
        .permissionDenied, .notPermitted, .symbolicLink, .noSuchFileOrDirectory, .invalidArgument,
    ]

    /// The manifest of the same bytes and recipe, under whatever name, whose media are still what they were.
    private func published(as key: String, of manifest: Manifest, name: FilePath, in spool: Spool) -> Manifest? {
        for document in [spool.remembered(key), spool.standing(manifestFor: name)] {
            if let document, let earlier = ManifestCoding.read(document), earlier.status == .published,
                earlier.source.sha256 == manifest.source.sha256, earlier.recipe == manifest.recipe,
                !earlier.outputs.isEmpty, earlier.outputs.allSatisfy({ spool.holds($0) })
            {
                return earlier
            }
        }
        return nil
    }

    private static let crashed = Rejection(
        .crashed, rule: .doesNotDecode, stage: .worker,
        "The service died while it worked on this file and does not try again; save it anew and send that.")
}

extension Spool {
    fileprivate func holds(_ output: Manifest.Output) -> Bool {
        guard let digest = output.sha256, let bytes = output.bytes else { return false }
        let path = Self.mediaPath(digest: digest, fileExtension: output.fileExtension)
        return holds(media: path, digest: digest, bytes: bytes)
    }
}

extension Manifest {
    /// Takes over what an earlier outcome of the same bytes says of source and result.
    fileprivate func repeating(_ earlier: Manifest) -> Manifest {
        var told = self
        told.source = earlier.source
        told.source.name = source.name
        told.source.path = source.path
        told.status = .published
        told.id = earlier.id
        told.output = earlier.output
        told.poster = earlier.poster
        told.clip = earlier.clip
        told.encoder = earlier.encoder
        told.memory = earlier.memory
        told.attachment = earlier.attachment
        told.groupMemory = earlier.groupMemory
        told.attachments = earlier.attachments?.map { attachment in
            var attachment = attachment
            attachment.source.path = "\(source.path)/\(attachment.source.name)"
            return attachment
        }
        told.notes = earlier.notes
        return told
    }

    /// With the URLs of its results, and how they are served: their names are digests.
    fileprivate consuming func addressed(by settings: ServeSettings) -> Manifest {
        output?.address(by: settings)
        http = output.flatMap { ServedHeaders($0) }
        poster?.address(by: settings)
        attachments = attachments?.map { $0.addressed(by: settings) }
        return self
    }
}

extension Manifest.Output {
    fileprivate mutating func address(by settings: ServeSettings) {
        if let path, path.hasPrefix("media/") { url = settings.url(of: String(path.dropFirst("media/".count))) }
    }
}
