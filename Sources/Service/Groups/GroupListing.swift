internal import AttachmentRules
internal import Hashing
internal import Kernel
internal import Spool

/// What lies in the directory of a push: its attachments, and what is said of it.
struct GroupListing {
    /// One attachment, found but not opened.
    struct Member {
        let name: FilePath
        let status: FileStatus
    }

    /// In the order of the push.
    private(set) var members: [Member] = []
    /// The push as its `push.json` describes it; nil where there is none.
    private(set) var push: Push?
    /// What the digest of the push has of its `push.json`.
    private(set) var pushDigest = ""

    /// The file that describes the push.
    static let pushName: FilePath = "push.json"

    /// Names that are no attachments; a directory that is there already is to be judged by the same patterns.
    let leftOut: NamePatterns

    init(leavingOut patterns: NamePatterns) {
        leftOut = patterns
    }

    /// Reads the directory.
    ///
    /// - Parameters:
    ///   - blamed: whether an error in reading is the directory's own.
    ///   - open: opens the directory.
    /// - Throws: `Rejection` for what is wrong with it as a whole; `WorkFailure` when the system lacks what reading takes.
    mutating func read(blamed: (Errno) -> Bool, _ open: () throws(Errno) -> FileDescriptor) throws {
        let directory = try Intake.reading(blamed, open)
        let names = try Self.names(in: directory, leavingOut: leftOut, blamed)
        var members: [Member] = []
        var bytes = 0
        for name in names {
            let status = try Intake.reading(blamed) { () throws(Errno) in
                try FileDescriptor.status(of: name, relativeTo: directory)
            }
            guard status.kind == .regular else {
                throw Rejection(
                    .notARegularFile, rule: .notAFile, stage: .intake,
                    "\(name.escapedForTerminal): it is a \(status.kind), and a push has files only; take it out of the "
                        + "directory.")
            }
            if name == Self.pushName { continue }
            members.append(Member(name: name, status: status))
            bytes = min(bytes, Int.max - status.size) + status.size
        }
        try Self.admit(members.count, bytes)
        if names.contains(Self.pushName) { try readPush(in: directory, blamed) }
        self.members = try Self.arrange(members, by: push ?? Push())
    }

    /// Whom the push is for: the profile that it names, or else `standard`.
    func receiver(among profiles: [Profile], standard: Profile) throws(Rejection) -> Profile {
        guard let name = push?.profile else { return standard }
        if let profile = profiles.first(where: { $0.name == name }) { return profile }
        throw Rejection(
            .badPush, rule: .badPush, stage: .push,
            "\(Self.pushName): there is no profile \(FilePath(name).escapedForTerminal); there are: "
                + profiles.map(\.name).joined(separator: ", "))
    }

    /// Whether a later look shows the same files as this one.
    func isUnchanged(since earlier: GroupListing) -> Bool {
        pushDigest == earlier.pushDigest
            && members.elementsEqual(earlier.members) { later, earlier in
                later.name == earlier.name && later.status.isSameFile(as: earlier.status)
                    && later.status.size == earlier.status.size && later.status.modified == earlier.status.modified
            }
    }

    private static func names(
        in directory: borrowing FileDescriptor, leavingOut patterns: NamePatterns, _ blamed: (Errno) -> Bool
    ) throws -> [FilePath] {
        let listing: DirectoryListing
        do throws(Errno) {
            listing = try DirectoryListing(of: directory, atMost: PushDirectory.mostEntries)
        } catch {
            throw Intake.failure(error, isOwn: blamed(error))
        }
        guard listing.isWhole else {
            throw Rejection(
                .tooManyAttachments, rule: .tooManyAttachments, stage: .intake,
                "The directory has more than \(PushDirectory.mostEntries) entries; make a directory for each push.")
        }
        return listing.entries.map(\.name).filter { !patterns.match($0) && !PushDirectory.litter.match($0) }
    }

    private static func admit(_ count: Int, _ bytes: Int) throws(Rejection) {
        guard count > 0 else {
            throw Rejection(
                .empty, rule: .notAFile, stage: .intake,
                "The directory has no attachments; put the files of one push into it.")
        }
        guard count <= GroupPlan.mostAttachments else {
            throw Rejection(
                .tooManyAttachments, rule: .tooManyAttachments, stage: .intake,
                "The directory has \(count) attachments, more than the \(GroupPlan.mostAttachments) of a push; make a "
                    + "directory for each push.")
        }
        guard bytes <= GroupPlan.mostBytes else {
            throw Rejection(
                .fileTooLarge, rule: .tooManyBytes, stage: .intake,
                "The attachments have \(bytes) bytes together, more than the \(GroupPlan.mostBytes) that are read; send "
                    + "smaller ones.")
        }
    }

    private mutating func readPush(in directory: borrowing FileDescriptor, _ blamed: (Errno) -> Bool) throws {
        let name = Self.pushName
        let document: [UInt8]
        do throws(Errno) {
            document = try FileDescriptor.contentsBeneath(name, relativeTo: directory, maximumBytes: Push.mostBytes)
        } catch .fileTooLarge {
            throw Rejection(
                .badPush, rule: .badPush, stage: .push,
                "\(name) has more than \(Push.mostBytes) bytes; a payload has 4096 at most.")
        } catch {
            let failure = Intake.failure(error, isOwn: blamed(error))
            throw (failure as? Rejection)?.of(name) ?? failure
        }
        pushDigest = Digest.hex(document.span)
        do throws(Rejection) { push = try Push.read(document) } catch { throw error.of(name) }
    }

    private static func arrange(_ members: [Member], by push: Push) throws(Rejection) -> [Member] {
        let byName = Dictionary(members.map { (Array($0.name.display.utf8), $0) }) { first, _ in first }
        do throws(Rejection) {
            // Names that a push.json cannot tell apart.
            guard byName.count == members.count else {
                throw Rejection(
                    .badPush, rule: .badPush, stage: .push, "Two attachments have names that read the same.")
            }
            return try push.arranged(members.map(\.name.display)).map { name in
                guard let member = byName[Array(name.utf8)] else {
                    preconditionFailure("an order names the attachments that are there")
                }
                return member
            }
        } catch {
            throw error.of(pushName)
        }
    }
}

extension Rejection {
    /// The same, of one file of a push.
    func of(_ name: FilePath) -> Rejection {
        var rejection = self
        rejection.message = "\(name.escapedForTerminal): \(message)"
        return rejection
    }
}
