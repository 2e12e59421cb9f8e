internal import Kernel
internal import Spool

/// When each notice is to be told, for as many as are kept in memory.
struct NoticeSchedule {
    struct Entry: Sendable {
        let id: ClaimID
        /// Runs of the program so far.
        var attempts = 0
        /// No further run: only its file is still to be removed.
        var isTold = false
        /// Pauses since the last run.
        fileprivate var postponements = 0
        var due: MonotonicInstant

        init(id: ClaimID, due: MonotonicInstant) {
            self.id = id
            self.due = due
        }
    }

    /// What an attempt came to.
    enum End: Sendable {
        /// Nothing of the notice is left.
        case over
        /// It is not to be told again, but its file is still there.
        case told
        /// The program ran, for nothing.
        case failed
        /// Something else was in the way: that is no run.
        case postponed
    }

    /// Most notices in memory; what is more waits on the disk until there is room.
    static let capacity = 1_024
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(300)
    /// Longest after a fault, whose end is to be noticed.
    private static let longestPostponement = Duration.seconds(30)

    private var waiting: [ClaimID: Entry] = [:]
    private var running: Set<ClaimID> = []
    /// Those whose outcome is being published: whatever the disk holds of them says nothing yet.
    private var expected: Set<ClaimID> = []
    /// Whether the disk may hold notices that are not here.
    private(set) var isPartial = true

    /// Notices that wait or are being told.
    var count: Int { waiting.values.count { !$0.isTold } + running.count }

    /// Whether it is time to look at the disk.
    var wantsMore: Bool { isPartial && waiting.count < Self.capacity / 2 }

    // MARK: - Publication

    /// The outcome is about to be published: not to be told before `add`.
    mutating func expect(_ id: ClaimID) { expected.insert(id) }

    func expects(_ id: ClaimID) -> Bool { expected.contains(id) }

    /// There will be no outcome.
    mutating func cancel(_ id: ClaimID) { expected.remove(id) }

    /// The outcome is published.
    mutating func add(_ id: ClaimID, at now: MonotonicInstant) {
        expected.remove(id)
        guard waiting[id] == nil, !running.contains(id) else { return }
        guard waiting.count < Self.capacity else {
            isPartial = true
            return
        }
        waiting[id] = Entry(id: id, due: now)
    }

    // MARK: - The disk

    /// Before the disk is looked at: what finds no room from now on need not be in that look.
    ///
    /// - Returns: false when there is no reason to look.
    mutating func beginLook() -> Bool {
        guard wantsMore else { return false }
        isPartial = false
        return true
    }

    /// Takes over what lies on the disk, `isAll` of it or the oldest part.
    mutating func endLook(_ ids: [ClaimID], isAll: Bool, at now: MonotonicInstant) {
        if !isAll { isPartial = true }
        for id in ids where !expected.contains(id) { add(id, at: now) }
    }

    // MARK: - Telling

    /// The one that has been due for longest.
    ///
    /// - Parameter runs: whether there is a program to run; else only files are to be removed.
    mutating func take(at now: MonotonicInstant, runs: Bool = true) -> Entry? {
        guard let next = candidates(runs).min(by: Self.isBefore), next.due <= now else { return nil }
        waiting[next.id] = nil
        running.insert(next.id)
        return next
    }

    mutating func finish(_ entry: Entry, _ end: End, at now: MonotonicInstant) {
        running.remove(entry.id)
        var next = entry
        let pause: Duration
        switch end {
        case .over:
            return
        case .failed:
            pause = Self.pause(entry.attempts, atMost: Self.longestPause)
            next.attempts += 1
            next.postponements = 0
        case .told, .postponed:
            if end == .told { next.isTold = true }
            pause = Self.pause(entry.postponements, atMost: Self.longestPostponement)
            next.postponements += 1
        }
        next.due = now.advanced(by: pause)
        waiting[entry.id] = next
    }

    /// When there is something to do without being told.
    func nextDue(runs: Bool = true) -> MonotonicInstant? { candidates(runs).map(\.due).min() }

    private func candidates(_ runs: Bool) -> some Sequence<Entry> {
        waiting.values.lazy.filter { runs || $0.isTold }
    }

    /// 1 s, 2 s, 4 s ... `longest`.
    private static func pause(_ earlier: Int, atMost longest: Duration) -> Duration {
        min(firstPause * (1 << min(earlier, 16)), longest)
    }

    private static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
        (one.due, one.id) < (other.due, other.id)
    }
}
