internal import AttachmentRules
internal import JobProtocol
internal import Kernel

extension Manifest {
    /// One manifest for each attachment, before anything is known of it.
    func attachments(of listing: GroupListing) -> [Manifest] {
        listing.members.map { member in
            let name = member.name.display
            return Manifest(
                name: name, status: .rejected, recipe: recipe, createdAt: createdAt,
                source: Source(name: name, path: "\(source.path)/\(name)"))
        }
    }

    /// Adds what the files of a push are.
    mutating func tell(_ listing: GroupListing, _ attachments: [Manifest], digest: String?) {
        push = listing.push
        source.bytes = attachments.reduce(0) { $0 + ($1.source.bytes ?? 0) }
        source.sha256 = digest
    }

    /// Adds what the attachments of a push have become.
    mutating func tell(_ attachments: [Manifest], by plan: GroupPlan) {
        status = attachments.contains { $0.status == .planned } ? .planned : .published
        self.attachments = attachments
        groupMemory = GroupMemory(
            residentBytes: attachments.reduce(0) { $0 + ($1.memory?.residentBytes ?? 0) },
            shareBytes: plan.shareBytes, capBytes: plan.capBytes)
    }

    /// What was published, in order: its own result and the still picture of a film, or those of the attachments.
    var outputs: [Output] { attachments.map { $0.flatMap(\.outputs) } ?? [output, poster].compactMap(\.self) }
}
