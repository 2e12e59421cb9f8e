import Kernel

/// A look at a file, and since when it has looked like that.
struct Sight: Sendable {
    var status: FileStatus
    var since: MonotonicInstant
}

/// What is known of a name that is not in work.
struct Entry: Sendable {
    var how: Appearance
    /// Nil before the first look.
    var sight: Sight?
    /// Told by an event, or younger than the last look through the inbox.
    var isFresh: Bool
    var isReady = false
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
        if how == .putBack { return now.advanced(by: max(rule.settle, SettleRule.pause)) }
        guard let sight else { return now }
        return now.advanced(by: rule.wait(for: how, kind: sight.status.kind))
    }

    /// When the file counts as whole after a look that shows `status`: now, or when to look again.
    mutating func due(
        by rule: SettleRule, after status: FileStatus, writers: ReadLease.Writers, at now: MonotonicInstant
    ) -> MonotonicInstant {
        let since = sight?.status == status ? sight?.since ?? now : now
        sight = Sight(status: status, since: since)
        guard let quiet = rule.quiet(of: how, kind: status.kind, writers: writers) else {
            // Its closing is an event, or is not: a link's is one of another directory.
            return now.advanced(by: max(rule.settle, SettleRule.pause))
        }
        return since.advanced(by: quiet)
    }
}

/// What is known of a name that is in work.
struct Taken: Sendable {
    var entry: Entry
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

    mutating func add(_ entry: Entry) {
        if entry.isReady { ready += 1 }
        if !entry.isFresh { found += 1 }
    }

    mutating func remove(_ entry: Entry) {
        if entry.isReady { ready -= 1 }
        if !entry.isFresh { found -= 1 }
    }
}

/// An entry's place in a queue; stale when the entry has another generation.
struct Turn: Sendable {
    var name: FilePath
    var generation: UInt64
}

struct Dated: Sendable {
    var due: MonotonicInstant
    var turn: Turn
}

struct Aged: Sendable {
    var age: Age
    var generation: UInt64
}

/// The oldest content first, in byte order of the names where that is equal.
struct Age: Comparable, Sendable {
    var modified: Int64
    var name: FilePath

    static func < (left: Age, right: Age) -> Bool {
        left.modified == right.modified ? left.name < right.name : left.modified < right.modified
    }
}

/// First in, first out.
struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    var count: Int { elements.count - start }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        defer {
            start += 1
            if start > 1024 && start > elements.count / 2 {
                elements.removeFirst(start)
                start = 0
            }
        }
        return elements[start]
    }

    mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
        elements.removeFirst(start)
        start = 0
        elements.removeAll(where: shouldBeRemoved)
    }
}
