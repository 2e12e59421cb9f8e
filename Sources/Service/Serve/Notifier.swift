internal import Configuration
internal import Glibc
internal import Kernel
internal import Spool
internal import Synchronization

/// Runs the operator's program for each outcome, with the manifest on its standard input.
///
/// What is still to be told lies on the disk (`Notices`), so that neither a crash nor a long outage of the program loses
/// anything; in memory there is only a bounded part of it. An outcome may be told twice, but never not at all as long as
/// attempts are left, and never before it is durable.
final class Notifier: Sendable {
    private let spool: Spool
    private let log: ServiceLog
    private let tally: Tally
    private let stop: StopFlag
    private let abandon: StopFlag
    /// Set when a thread that sleeps has to look at the schedule.
    let wake: EventFlag
    // What an earlier service left is found by looking.
    private let schedule = Mutex(NoticeSchedule())
    /// What is in the way of every notice, and was logged.
    private let obstacle = Mutex<Errno?>(nil)

    /// - Parameters:
    ///   - stop: nothing further is to be begun.
    ///   - abandon: the program that runs is to be ended.
    init(spool: Spool, log: ServiceLog, tally: Tally, stop: StopFlag, abandon: StopFlag) throws(Errno) {
        self.spool = spool
        self.log = log
        self.tally = tally
        self.stop = stop
        self.abandon = abandon
        wake = try EventFlag()
    }

    // MARK: - Publication

    /// An outcome with a notice is about to be published; `tell` or `retract` has to follow.
    func expect(_ id: ClaimID) { schedule.withLock { $0.expect(id) } }

    /// There is an outcome to tell of, and it is durable.
    func tell(_ id: ClaimID) {
        schedule.withLock { $0.add(id, at: .now) }
        wake.set()
    }

    /// There will be no outcome of this claim; nothing unless it was expected.
    ///
    /// - Returns: false when a notice of it may still lie on the disk, where the next service would find it.
    func retract(_ id: ClaimID) -> Bool {
        guard schedule.withLock({ $0.expects(id) }) else { return true }
        do throws(SpoolFailure) { try spool.removeNotice(id) } catch { return false }
        schedule.withLock { $0.cancel(id) }
        return true
    }

    // MARK: - Telling

    /// A thread's work, until the service stops.
    ///
    /// - Parameter settings: gives the settings that hold at the moment.
    func work(by settings: () -> ServeSettings) {
        while !stop.isSet {
            let current = settings()
            if !tellNext(by: current, at: .now) { pause(by: current) }
        }
    }

    /// The settings may be others now.
    func reconsider() { wake.set() }

    /// Notices that are known, waiting or being told.
    var pending: Int { schedule.withLock { $0.count } }

    /// Does what is due first.
    ///
    /// - Returns: false when there is nothing to do.
    func tellNext(by settings: ServeSettings, at now: MonotonicInstant) -> Bool {
        refill(at: now)
        let (notice, isMore) = schedule.withLock { schedule in
            let notice = schedule.take(at: now, runs: settings.runsNotices)
            return (notice, schedule.nextDue(runs: settings.runsNotices) != nil)
        }
        guard let notice else { return false }
        // Another thread may have reset the flag for this one, or sleep until later than what is due next, while this
        // one has no time for it.
        if isMore { wake.set() }
        let end = notice.isTold ? forget(notice.id) : attend(notice, by: settings)
        schedule.withLock { $0.finish(notice, end, at: max(now, .now)) }
        return true
    }

    /// Looks at the disk for notices that memory does not hold.
    private func refill(at now: MonotonicInstant) {
        guard schedule.withLock({ $0.beginLook() }) else { return }
        do throws(SpoolFailure) {
            let ids = try spool.notices(atMost: NoticeSchedule.capacity)
            schedule.withLock { $0.endLook(ids, isAll: ids.count < NoticeSchedule.capacity, at: now) }
        } catch {
            // Asked again at the next turn.
            schedule.withLock { $0.endLook([], isAll: false, at: now) }
        }
    }

    private func pause(by settings: ServeSettings) {
        let latest = MonotonicInstant.now.advanced(by: .seconds(30))
        let due = schedule.withLock { $0.nextDue(runs: settings.runsNotices) } ?? latest
        _ = try? Poll.readable([wake.descriptor.rawValue, stop.descriptor.rawValue], until: min(due, latest))
        // Before the schedule is looked at again: nothing that was told by this is missed.
        wake.reset()
    }

    private func attend(_ notice: NoticeSchedule.Entry, by settings: ServeSettings) -> NoticeSchedule.End {
        let outcome: Run
        do throws(SpoolFailure) {
            guard let manifest = try spool.open(notice: notice.id) else { return .over }
            outcome = run(settings.notifyCommand, on: manifest, atMost: settings.notifyTimeoutSeconds)
        } catch {
            outcome = .prevented(error.error, "\(error)")
        }
        switch outcome {
        case .succeeded:
            log.notified(notice.id)
            return forget(notice.id)
        case .cutShort:
            // It is run anew after the next start.
            return .postponed
        case .prevented(let error, let sentence):
            tell(of: error, sentence)
            return .postponed
        case .failed(let problem):
            let isLast = notice.attempts + 1 >= settings.notifyAttempts
            log.notifyFailed(notice.id, problem, attempt: notice.attempts + 1, isLast: isLast)
            if isLast { tally.countUntold() }
            return isLast ? forget(notice.id) : .failed
        }
    }

    private enum Run {
        case succeeded
        case failed(String)
        /// The service has no time to wait for it.
        case cutShort
        /// The program is not to blame.
        case prevented(Errno, String)
    }

    /// Runs the program once.
    private func run(_ command: [String], on manifest: borrowing FileDescriptor, atMost seconds: Int) -> Run {
        let program = FilePath(command[0])
        do throws(Errno) {
            var process: ChildProcess
            do throws(Errno) {
                process = try ChildProcess.spawn(
                    executable: program, arguments: Array(command.dropFirst()), environment: Self.environment,
                    reading: manifest)
            } catch {
                if error.isShortage { throw error }
                // The operator's mistake, which is found by the attempts' end at the latest.
                return .failed("\(program) cannot be run: \(error); check notify-command")
            }
            tell(of: nil)
            let deadline = MonotonicInstant.now.advanced(by: .seconds(seconds))
            // If this fails the process is killed, and with it its group.
            let ready = try Poll.readable(
                [process.processDescriptor.rawValue, abandon.descriptor.rawValue], until: deadline)
            if ready[0] {
                let status = process.wait()
                return status == .exited(0) ? .succeeded : .failed("it \(status)")
            }
            return ready[1] ? .cutShort : .failed("not done after \(seconds) s")
        } catch {
            return .prevented(error, "\(program) cannot be run now: \(error)")
        }
    }

    private func forget(_ id: ClaimID) -> NoticeSchedule.End {
        do throws(SpoolFailure) {
            try spool.removeNotice(id)
            return .over
        } catch {
            // Left over, it is told once more after the next start, but not by this service.
            tell(of: error.error, "\(error)")
            return .told
        }
    }

    /// Logs what is in the way, once for as long as it is the same.
    private func tell(of error: Errno?, _ sentence: String = "") {
        let isNew = obstacle.withLock { obstacle in
            defer { obstacle = error }
            return obstacle != error
        }
        if isNew, error != nil { log.notifyWaits(sentence) }
    }

    private static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]
}

extension ServeSettings {
    /// Whether outcomes are told to a program. Where they are not, those that wait go on waiting.
    fileprivate var runsNotices: Bool { !notifyCommand.isEmpty }
}
