import Kernel

/// Which names are known, what is known of each, and whose turn it is: decisions only, at instants that are given.
struct CandidateLedger: Sendable {
    var rule = SettleRule(settle: .milliseconds(250))
    /// Most names that are kept of those found by looking, and of those told by events.
    let capacity: Int
    /// Known to be in the inbox, but without a place in here.
    var knowsOfMore: Bool { passedOver > 0 || hasMissed }
    /// Nothing can be looked at before this.
    private(set) var pausedUntil: MonotonicInstant?

    private var entries: [FilePath: KnownName] = [:]
    private var taken: [FilePath: NameInWork] = [:]
    private var refusals = Refusals()
    private var population = Population()
    private var lastGeneration: UInt64 = 0
    private var waiting = Heap<Dated> { $0.precedes($1) }
    private var backlog = Heap<Aged> { $0.age < $1.age }
    private var fresh = TurnQueue<Turn>()
    private var isFreshNext = true
    /// Names that the last look through the inbox had no room for.
    private var passedOver = 0
    /// An event's name had no room since the last look through the inbox began.
    private var hasMissed = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    // MARK: What others ask

    var isReady: Bool { pausedUntil == nil && population.ready > 0 }

    /// Names that are not handed out.
    var waitingCount: Int { entries.count }

    var handedOutCount: Int { taken.values.count { $0.isHandedOut } }

    /// How many more names found by looking there is room for.
    var backlogRoom: Int { max(0, capacity - population.found) }

    /// How many more names told by events there is room for.
    var freshRoom: Int { max(0, capacity - (entries.count - population.found)) }

    /// True when looking through the inbox would bring names that there is work for soon.
    var runsLow: Bool { knowsOfMore && population.found <= capacity / 4 }

    /// When `promote` has something to do next.
    var deadline: MonotonicInstant? {
        guard let due = waiting.first?.due else { return pausedUntil }
        return pausedUntil.map { min($0, due) } ?? due
    }

    /// Whether a name needs no further look while the inbox is looked through.
    mutating func alreadyKnows(_ name: FilePath) -> Bool {
        if entries[name] != nil { return true }
        guard let work = taken[name] else { return false }
        // Either not claimed yet, or a new file of that name: the look after the work is done tells.
        if work.isHandedOut && work.later == nil { taken[name]?.later = .found }
        return true
    }

    func isRefused(_ candidate: Candidate, at now: MonotonicInstant) -> Bool {
        refusals.contain(candidate, at: now)
    }

    // MARK: What happens

    /// A sign of `name`; `status` where it was looked at.
    mutating func arrive(_ name: FilePath, as how: Appearance, status: FileStatus?, at now: MonotonicInstant) {
        if let work = taken[name] {
            taken[name]?.later = work.later?.followed(by: how) ?? how
            return
        }
        let known = remove(name)
        if known == nil && freshRoom == 0 {
            hasMissed = true
            return
        }
        var entry = KnownName(
            how: known?.how.followed(by: how) ?? how, sight: status.map { Sight(status: $0, since: now) },
            isFresh: freshRoom > 0)
        // The event of our own rename comes after the decision to wait.
        entry.notBefore = known?.notBefore
        place(name, entry, due: entry.firstDue(by: rule, at: now), at: now)
    }

    /// What looking through the inbox showed: names that were not known, each group the oldest first.
    mutating func found(_ names: FoundNames, at now: MonotonicInstant) {
        for candidate in names.old { find(candidate, isFresh: false, at: now) }
        for candidate in names.new { find(candidate, isFresh: true, at: now) }
        passedOver = names.passedOver
    }

    /// A look through the inbox begins, which will see whatever was missed so far.
    mutating func beginLook() {
        hasMissed = false
    }

    /// Forgets names that are not to be looked at any more.
    mutating func forget(where isUnwanted: (FilePath) -> Bool) {
        for name in entries.keys.filter(isUnwanted) { _ = remove(name) }
    }

    private mutating func find(_ candidate: Candidate, isFresh: Bool, at now: MonotonicInstant) {
        guard entries[candidate.name] == nil, taken[candidate.name] == nil else { return }
        let entry = KnownName(how: .found, sight: Sight(status: candidate.status, since: now), isFresh: isFresh)
        place(candidate.name, entry, due: entry.firstDue(by: rule, at: now), at: now)
    }

    /// Makes ready what has waited long enough.
    mutating func promote(at now: MonotonicInstant) {
        if let until = pausedUntil, until <= now { pausedUntil = nil }
        while let next = waiting.first, next.due <= now {
            _ = waiting.popFirst()
            guard let entry = entries[next.turn.name], entry.generation == next.turn.generation else { continue }
            _ = remove(next.turn.name)
            place(next.turn.name, entry, due: now, at: now)
        }
    }

    /// The next name to look at, those told by events and those found by turns; `judge` has to follow.
    mutating func pop() -> FilePath? {
        guard isReady else { return nil }
        guard let name = popTurn() else { return nil }
        guard let entry = remove(name) else { return nil }
        isFreshNext = !entry.isFresh
        taken[name] = NameInWork(entry: entry)
        return name
    }

    private mutating func popTurn() -> FilePath? {
        if isFreshNext, let name = popFresh() { return name }
        if let name = popBacklog() { return name }
        return popFresh()
    }

    private mutating func popFresh() -> FilePath? {
        while let turn = fresh.popFirst() {
            if entries[turn.name]?.generation == turn.generation { return turn.name }
        }
        return nil
    }

    private mutating func popBacklog() -> FilePath? {
        while let aged = backlog.popFirst() {
            if entries[aged.age.name]?.generation == aged.generation { return aged.age.name }
        }
        return nil
    }

    /// Decides after a look at the name that `pop` gave; nil when it is not to be handed out now.
    mutating func judge(_ name: FilePath, by look: InboxLook, at now: MonotonicInstant) -> Candidate? {
        guard let work = taken[name] else { return nil }
        var entry = work.entry
        if let later = work.later { entry.how = entry.how.followed(by: later) }
        switch look {
        case .gone:
            release(name, at: now)
        case .unreadable:
            taken[name] = nil
            place(name, entry, due: now.advanced(by: SettleRule.pause), at: now)
        case .unavailable:
            taken[name] = nil
            pausedUntil = now.advanced(by: SettleRule.pause)
            place(name, entry, due: now, at: now)
        case .seen(let status, let writers, let inside):
            let candidate = Candidate(name: name, status: status)
            if refusals.contain(candidate, at: now) {
                taken[name] = nil
                return nil
            }
            let due = entry.due(by: rule, after: status, writers: writers, inside: inside, at: now)
            if due <= now {
                taken[name] = NameInWork(entry: entry, isHandedOut: true)
                return candidate
            }
            taken[name] = nil
            place(name, entry, due: due, at: now)
        }
        return nil
    }

    /// Nobody works on `name` any more; `again` when the file was put back, or is about to be, and then it is left alone
    /// for as long as `delay`.
    mutating func finish(_ name: FilePath, again: Bool, after delay: Duration = .zero, at now: MonotonicInstant) {
        if again { taken[name]?.later = .putBack }
        release(name, at: now)
        if again && entries[name] == nil { arrive(name, as: .putBack, status: nil, at: now) }
        guard again, delay > .zero, var entry = remove(name) else { return }
        entry.notBefore = now.advanced(by: delay)
        place(name, entry, due: entry.firstDue(by: rule, at: now), at: now)
    }

    /// `candidate` cannot be moved.
    mutating func refuse(_ candidate: Candidate, at now: MonotonicInstant) {
        refusals.add(candidate, at: now)
        release(candidate.name, at: now)
    }

    /// Somebody works on a file of this name without having it from here.
    mutating func begin(_ name: FilePath) {
        guard taken[name] == nil else { return }
        let known = remove(name)
        let entry = known ?? KnownName(how: .found, sight: nil, isFresh: true)
        taken[name] = NameInWork(entry: entry, isHandedOut: true, later: known?.how)
    }

    private mutating func release(_ name: FilePath, at now: MonotonicInstant) {
        guard let later = taken.removeValue(forKey: name)?.later else { return }
        arrive(name, as: later, status: nil, at: now)
    }

    // MARK: Places

    private mutating func place(_ name: FilePath, _ placed: KnownName, due: MonotonicInstant, at now: MonotonicInstant)
    {
        var entry = placed
        lastGeneration += 1
        entry.generation = lastGeneration
        entry.isReady = due <= now
        entries[name] = entry
        population.add(entry)
        let turn = Turn(name: name, generation: lastGeneration)
        if !entry.isReady {
            waiting.insert(Dated(due: due, turn: turn))
        } else if entry.isFresh {
            fresh.append(turn)
        } else {
            let age = Age(modified: entry.sight?.status.modified ?? .max, name: name)
            backlog.insert(Aged(age: age, generation: lastGeneration))
        }
        dropStaleTurns()
    }

    private mutating func remove(_ name: FilePath) -> KnownName? {
        guard let entry = entries.removeValue(forKey: name) else { return nil }
        population.remove(entry)
        return entry
    }

    /// A name that is told again and again leaves a turn behind each time.
    private mutating func dropStaleTurns() {
        let bound = 2 * entries.count + 1024
        let current = entries
        if waiting.count > bound {
            waiting.removeAll { current[$0.turn.name]?.generation != $0.turn.generation }
        }
        if backlog.count > bound { backlog.removeAll { current[$0.age.name]?.generation != $0.generation } }
        if fresh.count > bound { fresh.removeAll { current[$0.name]?.generation != $0.generation } }
    }
}
