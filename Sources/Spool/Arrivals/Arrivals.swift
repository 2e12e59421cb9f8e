public import Kernel

/// Notices what arrives in the inbox and tells a queue of it. Belongs to one thread, which never waits in here.
///
/// The thread polls `descriptors` until `deadline`, calls `advance`, and begins anew. Events are a hint; looking through
/// the inbox is what finds everything, at the start, every `rescan`, and whenever events may have been lost.
public final class Arrivals {
    let inbox: FilePath
    let queue: CandidateQueue
    private(set) var settings: ArrivalSettings
    private(set) var patterns: NamePatterns
    var watch: InboxWatch
    var scan: InboxScan?
    var schedule: ArrivalSchedule
    var mode = Mode.unknown
    var probe: ProbeFile?
    /// The error that was told, until a whole look through the inbox succeeds.
    var trouble: Errno?
    private var news: [ArrivalNews] = []
    private var queueDeadline: MonotonicInstant?

    enum Mode: Equatable {
        case unknown
        case events
        case polling(ArrivalNews.PollingReason)
    }

    /// Makes nothing and looks at nothing before the first `advance`.
    ///
    /// - Parameters:
    ///   - now: Everything is due at this instant.
    public init(
        places: SpoolPlaces, settings: ArrivalSettings, queue: CandidateQueue, at now: MonotonicInstant = .now
    ) {
        inbox = places.inbox
        self.settings = settings
        self.queue = queue
        patterns = NamePatterns(settings.ignored)
        watch = InboxWatch(of: places.inbox)
        schedule = ArrivalSchedule(at: now)
        queue.settle(after: settings.settle)
    }

    /// What to poll for something to read besides the deadline; to be asked anew after each `advance`.
    public var descriptors: [Int32] {
        [queue.attention.descriptor.rawValue] + (watch.descriptor.map { [$0] } ?? [])
    }

    /// When `advance` has something to do without any event; to be asked anew after each `advance`.
    public var deadline: MonotonicInstant {
        let next = schedule.next(isScanning: scan != nil, canScan: watch.directory != nil)
        return queueDeadline.map { min($0, next) } ?? next
    }

    /// Does what is due at `now`, some milliseconds' worth at once; the answer is for the log.
    public func advance(at now: MonotonicInstant = .now) -> [ArrivalNews] {
        schedule.last = now
        if let failure = queue.takeFailure() { lookFailed(failure, at: now) }
        readEvents(at: now)
        if schedule.check <= now { checkDirectory(at: now) }
        if schedule.retry.map({ $0 <= now }) ?? false { watchAgain(at: now) }
        if schedule.probeEnd.map({ $0 <= now }) ?? false { giveUpOnProbe(at: now) }
        if scan == nil && queue.runsLow { wantScan(at: now) }
        advanceScan(at: now)
        queueDeadline = queue.promote(at: now)
        defer { news = [] }
        return news
    }

    /// Takes other settings over: the whole inbox is looked through by them.
    public func apply(_ settings: ArrivalSettings, at now: MonotonicInstant = .now) {
        let watchesOtherwise = settings.watchesEvents != self.settings.watchesEvents
        self.settings = settings
        patterns = NamePatterns(settings.ignored)
        queue.settle(after: settings.settle)
        scan = nil
        schedule.scan = now
        if watchesOtherwise {
            watch.leave()
            schedule.check = now
        }
    }

    func tell(_ message: ArrivalNews) {
        news.append(message)
    }

    /// Tells of another way of noticing, once.
    func enter(_ mode: Mode) {
        if mode == self.mode { return }
        self.mode = mode
        switch mode {
        case .unknown: break
        case .events: tell(.watching)
        case .polling(let reason): tell(.polling(reason))
        }
    }

    /// Looks through the inbox soon, or once more where that is under way.
    func wantScan(at now: MonotonicInstant) {
        schedule.wantScan(at: now, isScanning: scan != nil)
    }

    func fail(_ error: Errno) {
        if trouble != error { tell(.inboxUnavailable(inbox, error)) }
        trouble = error
    }

    /// A thread could not look at the inbox: perhaps the directory is another one.
    private func lookFailed(_ error: Errno, at now: MonotonicInstant) {
        schedule.check = min(schedule.check, max(now, schedule.lastCheck.advanced(by: ArrivalSchedule.retryTime)))
        wantScan(at: now)
        fail(error)
    }
}
