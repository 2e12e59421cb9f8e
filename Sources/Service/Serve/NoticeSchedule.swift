internal import Kernel
internal import Spool

/// When each notice is to be told, for as many as are kept in memory.
struct NoticeSchedule {
    struct Entry: Sendable {
        let id: ClaimID
        /// Runs of the program so far.
        var attempts = 0
        var due: MonotonicInstant
    }

    /// Most notices in memory; what is more waits on the disk until there is room.
    static let capacity = 1_024
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(300)

    private var waiting: [ClaimID: Entry] = [:]
    private var running: Set<ClaimID> = []
    /// Whether the disk may hold notices that are not here.
    private(set) var isPartial = true

    var count: Int { waiting.count + running.count }

    /// Whether it is time to look at the disk.
    var wantsMore: Bool { isPartial && waiting.count < Self.capacity / 2 }

    mutating func add(_ id: ClaimID, at now: MonotonicInstant) {
        guard waiting[id] == nil, !running.contains(id) else { return }
        guard waiting.count < Self.capacity else {
            isPartial = true
            return
        }
        waiting[id] = Entry(id: id, due: now)
    }

    /// Takes over what lies on the disk, `isAll` of it or the oldest part.
    mutating func add(_ ids: [ClaimID], isAll: Bool, at now: MonotonicInstant) {
        isPartial = !isAll
        for id in ids { add(id, at: now) }
    }

    /// The one that has been due for longest.
    mutating func take(at now: MonotonicInstant) -> Entry? {
        guard let next = waiting.values.min(by: Self.isBefore), next.due <= now else { return nil }
        waiting[next.id] = nil
        running.insert(next.id)
        return next
    }

    /// - Parameter isOver: it is not to be told again.
    mutating func finish(_ entry: Entry, isOver: Bool, at now: MonotonicInstant) {
        running.remove(entry.id)
        guard !isOver else { return }
        var next = entry
        next.attempts += 1
        // 1 s, 2 s, 4 s ... 300 s.
        let pause = min(Self.firstPause * (1 << min(entry.attempts, 16)), Self.longestPause)
        next.due = now.advanced(by: pause)
        waiting[entry.id] = next
    }

    /// When there is something to do without being told.
    var nextDue: MonotonicInstant? { waiting.values.map(\.due).min() }

    private static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
        (one.due, one.id) < (other.due, other.id)
    }
}
