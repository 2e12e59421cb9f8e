internal import Configuration
internal import Kernel
internal import Spool
internal import Synchronization
internal import WorkerPool

/// What the threads of one service share.
final class ServeContext: Sendable {
    let spool: Spool
    /// What waits in the inbox.
    let queue: CandidateQueue
    /// What an earlier service had in work.
    let recovered: Recovered
    /// From the lanes to the publishers.
    let decided: Handover<Decision>
    let stalls: Stalls
    let heartbeat = Heartbeat()
    let tally: Tally
    let crew: Crew
    let notifier: Notifier
    let log: ServiceLog
    /// Set when nothing further is to be claimed.
    let stop: StopFlag
    /// Set when what is in work is to be given back.
    let abandon: StopFlag
    /// Path of `mediaprep-worker`.
    let workerPath: FilePath
    private let current: Mutex<ServeSettings>

    init(
        spool: Spool, recovery: Recovery, stalls: Stalls, signals: ServiceSignals, log: ServiceLog,
        workerPath: FilePath,
        settings: ServeSettings
    ) throws(Errno) {
        self.spool = spool
        queue = try CandidateQueue(inbox: settings.places.inbox)
        recovered = try Recovered(recovery.claims)
        for claim in recovery.claims { queue.began(claim.name) }
        decided = Handover(capacity: settings.publishers)
        self.stalls = stalls
        tally = Tally(root: settings.root)
        crew = try Crew()
        notifier = try Notifier(
            spool: spool, log: log, tally: tally, stop: signals.stop, abandon: signals.abandon)
        self.log = log
        stop = signals.stop
        abandon = signals.abandon
        self.workerPath = workerPath
        current = Mutex(settings)
    }

    /// The settings that hold now; a reload replaces them as a whole.
    var settings: ServeSettings {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            // There may be a command again.
            notifier.reconsider()
        }
    }

    /// Lets go of a claim that has no outcome: back to the inbox, or where that cannot be, to be resumed from `work`.
    ///
    /// - Parameter delay: it is not claimed again before.
    func giveBack(_ claim: consuming Claim, after delay: Duration = .zero) {
        let name = claim.name
        // First: what appears in the inbox then was not renamed in by its producer, and has to settle.
        finish(name, again: true, after: delay)
        // Nobody is to be told of an outcome that never was. Where that cannot be prevented now, the next start does so
        // as long as it finds the claim in work.
        let end: ClaimEnd = notifier.retract(claim.id) ? .putBack : .left
        _ = spool.settle(claim, as: end)
        collectStranded()
    }

    /// A claim of this name is in hand no more.
    ///
    /// - Parameter again: it goes back to the inbox; then this comes before the rename.
    func finish(_ name: FilePath, again: Bool, after delay: Duration = .zero) {
        // Where another claim of that name is ours already, a file of that name in the inbox still has to wait.
        if !recovered.finish(name) { queue.finished(name, again: again, after: delay) }
    }

    /// Takes over what could not be put back into the inbox: it is resumed where it lies.
    func collectStranded() {
        let stranded = spool.takeStranded()
        for entry in stranded { queue.began(entry.name) }
        recovered.add(stranded)
    }

    /// Writes the state file, if it is out of date.
    ///
    /// - Parameter always: even if that was done just before.
    func writeState(at now: MonotonicInstant, always: Bool) {
        tally.write(at: now, faults: stalls.sentences, pending: notifier.pending, always: always)
    }

    /// For the service manager: what is in the way, or nothing.
    var status: String {
        let sentences = stalls.sentences
        return sentences.isEmpty ? "watching" : sentences.joined(separator: "; ")
    }
}
