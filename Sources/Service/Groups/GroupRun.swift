internal import AttachmentRules
internal import Configuration
internal import FoundationEssentials
internal import JobProtocol
internal import Kernel
internal import Spool
internal import WorkerPool

/// Takes one push of a batch from where it lies to its outcome: intake, pictures, publish.
struct GroupRun: Sendable {
    let settings: BatchSettings
    /// Where results go; nil for a dry run, which writes nothing.
    let publication: GroupPublication?

    /// - Parameters:
    ///   - number: tells this push's jobs from another's.
    ///   - lanes: the calling thread's own.
    /// - Throws: `BatchFailure` when our own work fails; what is wrong with the push becomes an outcome.
    func outcome(of item: GroupItem, number: Int, on lanes: DecoderLanes) throws(BatchFailure) -> PictureOutcome {
        var manifest = Manifest(
            name: item.name.display, status: .rejected, recipe: settings.recipe.fingerprint,
            createdAt: Date().formatted(.iso8601),
            source: Manifest.Source(name: item.name.display, path: item.givenPath.display))
        do {
            return try made(of: item, number: number, on: lanes, &manifest)
        } catch let rejection as Rejection {
            manifest.rejection = rejection
            try manifest.record { try publication?.reject($0, for: item) }
            return .rejected(manifest)
        } catch {
            throw BatchFailure(error)
        }
    }

    private func made(
        of item: GroupItem, number: Int, on lanes: DecoderLanes, _ manifest: inout Manifest
    ) throws -> PictureOutcome {
        if let problem = item.problem { throw Intake.unreadable(problem) }
        let blamed = { (error: Errno) in !error.isShortage }
        let open = { () throws(Errno) in try FileDescriptor.open(item.givenPath, flags: .directory) }
        var listing = GroupListing(leavingOut: settings.leftOut)
        try listing.read(blamed: blamed, open)
        let receiver = try listing.receiver(among: settings.profiles, standard: settings.profile)
        let recipe = receiver.recipe
        manifest.recipe = recipe.fingerprint
        let maker = GroupMaker(
            listing: listing, recipe: recipe, limits: settings.limits, kind: settings.kind,
            firstID: UInt64(number * 2 * GroupPlan.mostAttachments), lanes: lanes, open: open, blamed: blamed,
            begin: {},
            hear: { _, _ in })
        var attachments = manifest.attachments(of: listing)
        let digest = try maker.digest(&attachments)
        manifest.tell(listing, attachments, digest: digest)
        if let digest, !settings.isForced,
            let earlier = try publication?.unchanged(item, sha256: digest, recipe: manifest.recipe)?
                .standing(with: receiver, among: settings.profiles)
        {
            return .unchanged(earlier)
        }
        do {
            let (plan, clips) = try maker.plan(&attachments)
            let made = try maker.make(&attachments, by: plan, besides: clips)
            let names = ResultNames.assign(listing.members.map(\.name), besides: [])
            var named: [(name: FilePath, file: ResultFile)] = []
            let told = try maker.tell(made, of: &attachments, for: receiver, among: settings.profiles) {
                member, results in
                let own = results.compactMap { result in
                    names[member.name].map { ($0.result(result.fileExtension).name, result) }
                }
                named += own
                return own.map { item.target.appending($0.0) }
            }
            var published = manifest
            published.tell(told, by: plan)
            guard let publication else { return .planned(published) }
            try publication.publish(named, published, for: item)
            return .published(published, proof: nil)
        } catch let rejection as Rejection {
            manifest.attachments = attachments
            throw rejection
        }
    }
}

extension BatchSettings {
    /// Names that are no attachments, as a service has them that nobody configured.
    fileprivate var leftOut: NamePatterns { NamePatterns(ServeSettings().ignoredNames) }
}
