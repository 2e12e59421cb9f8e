import Kernel

/// A look at a file, and since when it has looked like that.
struct Sight: Sendable {
    var status: FileStatus
    /// Of a directory, what is in it; nil before that was looked at.
    var inside: FolderLook?
    var since: MonotonicInstant

    /// Since when the file looks as it does now; nil when it has changed.
    func since(
        whenSeenAs later: FileStatus, inside laterInside: FolderLook?, writers: ReadLease.Writers
    ) -> MonotonicInstant? {
        var expected = status
        if writers == .none && later.linkCount != status.linkCount {
            // Another of its names came or went, which moves the ctime: or many names of one file would wait for
            // each other.
            expected.linkCount = later.linkCount
            expected.changed = later.changed
        }
        return later == expected && laterInside == inside ? since : nil
    }
}

/// What is known of a name that is not in work.
struct KnownName: Sendable {
    var how: Appearance
    /// Nil before the first look.
    var sight: Sight?
    /// Told by an event, or younger than the last look through the inbox.
    var isFresh: Bool
    var isReady = false
    /// What was put back is not looked at before this.
    var notBefore: MonotonicInstant?
    /// Changes whenever the entry's place does, so that old turns are known as such.
    var generation: UInt64 = 0

    init(how: Appearance, sight: Sight?, isFresh: Bool) {
        self.how = how
        self.sight = sight
        self.isFresh = isFresh
    }

    /// When to look for the next time.
    func firstDue(by rule: SettleRule, at now: MonotonicInstant) -> MonotonicInstant {
        // Our own rename may still be to come: by then the name must be known, or it would count as renamed in.
        if how == .putBack {
            let due = now.advanced(by: max(rule.settle, SettleRule.pause))
            return notBefore.map { max($0, due) } ?? due
        }
        guard let sight else { return now }
        return now.advanced(by: rule.wait(for: how, kind: sight.status.kind))
    }

    /// When the file counts as whole after a look that shows `status`: now, or when to look again.
    mutating func due(
        by rule: SettleRule, after status: FileStatus, writers: ReadLease.Writers, inside: FolderLook?,
        at now: MonotonicInstant
    ) -> MonotonicInstant {
        let since = sight?.since(whenSeenAs: status, inside: inside, writers: writers) ?? now
        sight = Sight(status: status, inside: inside, since: since)
        let isUnfinished = inside?.isUnfinished ?? false
        guard let quiet = rule.quiet(of: how, kind: status.kind, writers: writers, isUnfinished: isUnfinished) else {
            // Its closing is an event, or is not: a link's is one of another directory.
            return now.advanced(by: max(rule.settle, SettleRule.pause))
        }
        let due = since.advanced(by: quiet)
        // What comes into a directory is no event of the inbox: it may be whole long before this.
        return inside == nil || due <= now ? due : min(due, now.advanced(by: SettleRule.directory))
    }
}

/// What is known of a name that is in work.
struct NameInWork: Sendable {
    var entry: KnownName
    /// False while it is only looked at.
    var isHandedOut = false
    /// A sign of the name since then.
    var later: Appearance?
}

/// How many entries there are of some sorts.
struct Population: Sendable {
    private(set) var ready = 0
    /// Found by looking through the inbox.
    private(set) var found = 0

    mutating func add(_ entry: KnownName) {
        if entry.isReady { ready += 1 }
        if !entry.isFresh { found += 1 }
    }

    mutating func remove(_ entry: KnownName) {
        if entry.isReady { ready -= 1 }
        if !entry.isFresh { found -= 1 }
    }
}
