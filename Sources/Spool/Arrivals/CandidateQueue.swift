import Glibc
public import Kernel
import Synchronization

/// Names that are ready to be claimed, between the thread that watches the inbox and those that do the work.
///
/// Its memory is bounded, however many files the inbox holds. Every candidate was looked at just before it was handed
/// out: unchanged for as long as it has to be, and nobody writing to it where that can be known.
public final class CandidateQueue: Sendable {
    let inbox: FilePath
    private let state: Mutex<State>
    /// Set while there is a name to look at.
    private let ready: EventFlag
    /// Set when the thread that watches has to reckon anew when it is due.
    let attention: EventFlag

    private struct State: Sendable {
        var ledger: CandidateLedger
        /// Names of files that are being written.
        var parts = NamePatterns([])
        var isReady = false
        /// What the watching thread knows of.
        var toldDeadline: MonotonicInstant?
        var toldLow = false
        var failure: Errno?
    }

    /// How many files there are, of those that are known.
    public struct Counts: Equatable, Sendable {
        /// Not handed out.
        public var waiting: Int
        /// Handed out and not finished.
        public var inWork: Int
        /// There are more in the inbox, which are not counted.
        public var hasMore: Bool
    }

    /// - Parameters:
    ///   - inbox: The directory's path, looked up anew for each candidate.
    ///   - capacity: Most names kept of those waiting, and as many again of those that arrive.
    ///
    /// eventfd(2) may fail.
    public init(inbox: FilePath, capacity: Int = 8192) throws(Errno) {
        self.inbox = inbox
        ready = try EventFlag()
        attention = try EventFlag()
        state = Mutex(State(ledger: CandidateLedger(capacity: capacity)))
    }

    /// Waits for a candidate, which counts as in work until `finished` or `refused`; nil when `stop` is set, or when
    /// there is none and `other` is set.
    public func next(stop: StopFlag, besides other: EventFlag? = nil) -> Candidate? {
        var descriptors = [stop.descriptor.rawValue, ready.descriptor.rawValue]
        if let other { descriptors.append(other.descriptor.rawValue) }
        while !stop.isSet {
            switch attempt(at: .now) {
            case .handedOut(let candidate): return candidate
            case .passedOver: continue
            case .empty: if Self.wait(for: descriptors).dropFirst(2).contains(true) { return nil }
            }
        }
        return nil
    }

    /// A candidate where one is ready at `now`; never waits.
    public func take(at now: MonotonicInstant = .now) -> Candidate? {
        while true {
            switch attempt(at: now) {
            case .handedOut(let candidate): return candidate
            case .passedOver: continue
            case .empty: return nil
            }
        }
    }

    /// The work on a candidate is over: a file of the same name is another one.
    ///
    /// With `again` the file itself goes back to the inbox; call it before the rename. It is offered again a second
    /// later at the earliest, and after `delay`.
    public func finished(_ name: FilePath, again: Bool, after delay: Duration = .zero) {
        finished(name, again: again, after: delay, at: .now)
    }

    /// The candidate cannot be moved: it is not offered before its inode or ctime changes, or a minute is over.
    public func refused(_ candidate: Candidate) {
        refused(candidate, at: .now)
    }

    /// Work has begun on a file of this name that did not come from here, such as one from an earlier run: a new file
    /// of the same name is offered after `finished`.
    public func began(_ name: FilePath) {
        update { $0.ledger.begin(name) }
    }

    public var counts: Counts {
        state.withLock {
            Counts(
                waiting: $0.ledger.waitingCount, inWork: $0.ledger.handedOutCount, hasMore: $0.ledger.knowsOfMore)
        }
    }

    func finished(_ name: FilePath, again: Bool, after delay: Duration = .zero, at now: MonotonicInstant) {
        update { $0.ledger.finish(name, again: again, after: delay, at: now) }
    }

    func refused(_ candidate: Candidate, at now: MonotonicInstant) {
        update { $0.ledger.refuse(candidate, at: now) }
    }

    private enum Attempt {
        case handedOut(Candidate)
        case passedOver
        case empty
    }

    /// Looks outside the lock: a slow file system holds up this thread only.
    private func attempt(at now: MonotonicInstant) -> Attempt {
        let next = update { state in state.ledger.pop().map { (name: $0, parts: state.parts) } }
        guard let (name, parts) = next else { return .empty }
        let look = InboxLook(at: name, in: inbox, parts: parts)
        let candidate = update { state in
            if case .unavailable(let error) = look { state.failure = error }
            return state.ledger.judge(name, by: look, at: now)
        }
        return candidate.map(Attempt.handedOut) ?? .passedOver
    }

    /// Which of them can be read.
    private static func wait(for descriptors: [Int32]) -> [Bool] {
        let far = MonotonicInstant.now.advanced(by: .seconds(3600))
        if let ready = try? Poll.readable(descriptors, until: far) { return ready }
        // Out of memory: a try every now and then is all there is left.
        usleep(10_000)
        return []
    }
}

// MARK: - The watching thread's side

extension CandidateQueue {
    /// Changes the ledger, and tells the threads that a change concerns.
    @discardableResult
    private func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = change(&state)
            if state.ledger.isReady != state.isReady {
                state.isReady.toggle()
                if state.isReady { ready.set() } else { ready.reset() }
            }
            if let due = state.ledger.deadline, state.toldDeadline.map({ due < $0 }) ?? true {
                state.toldDeadline = due
                attention.set()
            }
            if state.ledger.runsLow && !state.toldLow {
                state.toldLow = true
                attention.set()
            }
            return result
        }
    }

    func arrive(_ name: FilePath, as how: Appearance, status: FileStatus?, at now: MonotonicInstant) {
        update { $0.ledger.arrive(name, as: how, status: status, at: now) }
    }

    func found(_ names: FoundNames, at now: MonotonicInstant) {
        update {
            $0.ledger.found(names, at: now)
            $0.toldLow = false
        }
    }

    /// Whether looking through the inbox need not look at this name.
    func alreadyKnows(_ name: FilePath) -> Bool {
        state.withLock { $0.ledger.alreadyKnows(name) }
    }

    func isRefused(_ candidate: Candidate, at now: MonotonicInstant) -> Bool {
        state.withLock { $0.ledger.isRefused(candidate, at: now) }
    }

    /// Other settings.
    func settle(after time: Duration, leavingOut patterns: NamePatterns) {
        update {
            $0.ledger.rule = SettleRule(settle: time)
            $0.parts = patterns
            $0.ledger.forget { patterns.match($0) }
        }
    }

    /// A look through the inbox begins; how many names there is room for: that waited already, and younger ones.
    func beginLook() -> (old: Int, new: Int) {
        state.withLock {
            $0.ledger.beginLook()
            return ($0.ledger.backlogRoom, $0.ledger.freshRoom)
        }
    }

    var runsLow: Bool { state.withLock { $0.ledger.runsLow } }

    /// Why a look at the inbox failed since this was asked last.
    func takeFailure() -> Errno? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }

    /// Makes ready what is due; the answer is when there will be more.
    func promote(at now: MonotonicInstant) -> MonotonicInstant? {
        attention.reset()
        update { $0.ledger.promote(at: now) }
        return state.withLock { state in
            state.toldDeadline = state.ledger.deadline
            return state.toldDeadline
        }
    }
}
