import Kernel

/// When what is due next.
struct ArrivalSchedule {
    /// Whether the inbox's path still stands for the directory that is watched.
    static let checkTime = Duration.seconds(2)
    /// After anything that failed.
    static let retryTime = Duration.seconds(1)
    /// How long the event of a probe file may take.
    static let probeTime = Duration.milliseconds(1500)

    var last: MonotonicInstant
    var check: MonotonicInstant
    private(set) var lastCheck: MonotonicInstant
    var scan: MonotonicInstant
    /// When the last look through the inbox began and ended.
    private var lastScan: (start: MonotonicInstant, end: MonotonicInstant)?
    /// Something was missed while a look through the inbox was under way.
    private var wantsAnother = false
    /// The youngest ctime that a whole look through the inbox saw.
    var youngest: Int64?
    /// When to try again whether events work; nil while they do.
    var retry: MonotonicInstant?
    /// Until when a probe file's event may come; nil when none is awaited.
    var probeEnd: MonotonicInstant?

    init(at now: MonotonicInstant) {
        last = now
        check = now
        lastCheck = now
        scan = now
    }

    /// - Parameters:
    ///   - canScan: False while there is no directory to look through.
    func next(isScanning: Bool, canScan: Bool) -> MonotonicInstant {
        if isScanning { return last }
        var next = canScan ? min(check, scan) : check
        if let retry { next = min(next, retry) }
        if let probeEnd { next = min(next, probeEnd) }
        return next
    }

    mutating func checked(at now: MonotonicInstant, succeeded: Bool) {
        lastCheck = now
        check = now.advanced(by: succeeded ? Self.checkTime : Self.retryTime)
    }

    /// Looks through the inbox soon: not before a second after the last time, nor for more than half of the time.
    mutating func wantScan(at now: MonotonicInstant, isScanning: Bool) {
        if isScanning {
            wantsAnother = true
            return
        }
        scan = min(scan, max(now, earliestScan(pauses: 1)))
    }

    /// A look through the inbox has ended; the next is due a time after its start.
    mutating func scanned(from start: MonotonicInstant, to now: MonotonicInstant, every time: Duration) {
        lastScan = (start, now)
        // An inbox that is full of names is not worth a processor: a tenth of one at most.
        scan = max(start.advanced(by: time), earliestScan(pauses: 9))
        if wantsAnother { wantScan(at: now, isScanning: false) }
        wantsAnother = false
    }

    mutating func scanFailed(at now: MonotonicInstant) {
        lastScan = (now, now)
        scan = now.advanced(by: Self.retryTime)
    }

    private func earliestScan(pauses: Int) -> MonotonicInstant {
        guard let lastScan else { return last }
        let taken = lastScan.start.duration(to: lastScan.end)
        return max(lastScan.start.advanced(by: Self.retryTime), lastScan.end.advanced(by: taken * pauses))
    }
}
