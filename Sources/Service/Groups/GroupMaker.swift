internal import AttachmentRules
internal import Hashing
internal import JobProtocol
internal import Kernel
internal import WorkerPool

/// Makes what the attachments of one push are to become: all of them, or none.
///
/// One snapshot at a time, so that a push needs no more memory than its largest picture and what is to be published: each
/// file is read for its digest, to be planned, and a picture to be made, and has to be the same each time.
struct GroupMaker {
    let listing: GroupListing
    let recipe: Recipe
    let limits: Limits
    /// What is asked of each picture in the end.
    let kind: JobRequest.Kind
    /// Tells the first job from those of other pushes; each further job has the next number.
    let firstID: UInt64
    /// The calling thread's own.
    let lanes: DecoderLanes
    /// Opens the directory.
    let open: () throws(Errno) -> FileDescriptor
    /// Whether an error in reading is the file's own.
    let blamed: (Errno) -> Bool
    /// Is called before each job, which has to end by itself.
    let begin: () -> Void
    /// Is told what the image library remarks, and on which file.
    let hear: (String, FilePath) -> Void

    /// Reads each file once, and gives the digest of the push; nil where one cannot be read, which its manifest tells.
    ///
    /// - Parameter attachments: a manifest for each member, in order.
    func digest(_ attachments: inout [Manifest]) throws -> String? {
        var text = "push.json \(listing.pushDigest)\n"
        try forEach(&attachments) { member, manifest, _ in
            let snapshot = try snapshot(of: member)
            let digest = snapshot.withBytes { Digest.hex($0) }
            manifest.source.bytes = snapshot.size
            manifest.source.sha256 = digest
            text += "\(digest) \(manifest.name)\n"
        }
        return attachments.contains { $0.rejection != nil } ? nil : Digest.hex(Array(text.utf8).span)
    }

    /// Plans each picture by itself and reads each sound and film, which is all that is done to these, also after one that
    /// is refused: whoever sent them hears of all faults at once.
    ///
    /// - Parameter attachments: as `digest` left them.
    /// - Returns: how they share the memory, and of each sound and film what it has become, by its place.
    /// - Throws: the first refusal, with the member's name; `WorkFailure` when our own work fails.
    func plan(_ attachments: inout [Manifest]) throws -> (plan: GroupPlan, clips: [Int: MadeAttachment]) {
        let maker = AttachmentMaker(recipe: recipe, limits: limits, kind: .plan, makesStills: kind != .plan)
        var clips: [Int: MadeAttachment] = [:]
        try forEach(&attachments) { member, manifest, index in
            let made = try attachment(of: member, by: maker, id: UInt64(index), telling: &manifest)
            // Sound and film need no memory of a picture's.
            if case .planned(let size) = made.content {
                manifest.tell(planned: size)
            } else {
                manifest.status = .planned
                clips[index] = made
            }
        }
        try throwFirst(of: attachments)
        let plan = GroupPlan(
            residentBytes: attachments.map { $0.memory?.residentBytes ?? 0 }, shareBytes: recipe.imageShareBytes)
        return (plan, clips)
    }

    /// Makes each picture in order within its share of the memory, up to the first that is refused.
    ///
    /// - Parameter attachments: as `plan` left them; nothing but a refusal is told of them, for nothing is published yet.
    /// - Returns: what each attachment has become.
    /// - Throws: as `plan`.
    func make(
        _ attachments: inout [Manifest], by plan: GroupPlan, besides clips: [Int: MadeAttachment]
    ) throws -> [MadeAttachment] {
        var made: [MadeAttachment] = []
        for (index, member) in listing.members.enumerated() {
            if let clip = clips[index] {
                made.append(clip)
                continue
            }
            var own = recipe
            own.imageShareBytes = plan.shares[index]
            let maker = AttachmentMaker(recipe: own, limits: limits, kind: kind, makesStills: false)
            let id = UInt64(listing.members.count + index)
            do {
                made.append(try attachment(of: member, by: maker, id: id, telling: &attachments[index]))
            } catch let rejection as Rejection {
                attachments[index].status = .rejected
                attachments[index].rejection = rejection
                throw rejection.of(member.name)
            }
        }
        try checkUnchanged()
        return made
    }

    /// The manifests of attachments with what they have become.
    ///
    /// - Parameter paths: gives the paths of a member's results.
    /// - Throws: the first refusal by the receiver's rules, with the member's name.
    func tell(
        _ made: [MadeAttachment], of attachments: inout [Manifest], for receiver: Profile, among profiles: [Profile],
        at paths: (GroupListing.Member, [ResultFile]) -> [FilePath]
    ) throws(Rejection) -> [Manifest] {
        var told: [Manifest] = []
        for (index, member) in listing.members.enumerated() {
            let own = paths(member, made[index].results)
            do throws(Rejection) {
                var attachment = try attachments[index].telling(
                    made[index], for: receiver, among: profiles, at: own)
                if let hides = listing.push?.hidesThumbnails { attachment.attachment?.thumbnailHidden = hides }
                // A sound or film goes as it is, and is ready when it is planned.
                if kind == .plan { attachment.status = .planned }
                told.append(attachment)
            } catch {
                attachments[index].status = .rejected
                attachments[index].rejection = error
                throw error.of(member.name)
            }
        }
        return told
    }

    private func attachment(
        of member: GroupListing.Member, by maker: AttachmentMaker, id: UInt64, telling manifest: inout Manifest
    ) throws -> MadeAttachment {
        begin()
        let snapshot = try snapshot(of: member)
        guard snapshot.withBytes({ Digest.hex($0) }) == manifest.source.sha256 else { throw Intake.changed }
        return try maker.attachment(of: snapshot, id: firstID &+ id, on: lanes, telling: &manifest) {
            hear($0, member.name)
        }
    }

    private func forEach(
        _ attachments: inout [Manifest], _ body: (GroupListing.Member, inout Manifest, Int) throws -> Void
    ) throws {
        for (index, member) in listing.members.enumerated() where attachments[index].rejection == nil {
            do {
                try body(member, &attachments[index], index)
            } catch let rejection as Rejection {
                // The push is to be looked at again as a whole.
                if rejection.code == .changedWhileRead { throw rejection.of(member.name) }
                attachments[index].status = .rejected
                attachments[index].rejection = rejection
            }
        }
    }

    private func throwFirst(of attachments: [Manifest]) throws(Rejection) {
        for (member, manifest) in zip(listing.members, attachments) {
            if let rejection = manifest.rejection { throw rejection.of(member.name) }
        }
    }

    private func snapshot(of member: GroupListing.Member) throws -> SealedFile {
        try Intake.snapshot(of: member.status.kind, limits: limits, blamed: blamed) { () throws(Errno) in
            try FileDescriptor.openBeneath(member.name, relativeTo: open())
        }
    }

    /// What was added meanwhile belongs to the push as well.
    private func checkUnchanged() throws {
        var later = GroupListing(leavingOut: listing.leftOut)
        do {
            try later.read(blamed: blamed, open)
        } catch is Rejection {
            throw Intake.changed
        }
        guard later.isUnchanged(since: listing) else { throw Intake.changed }
    }
}
