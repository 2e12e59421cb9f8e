internal import Configuration
internal import Glibc
internal import Kernel
internal import Spool
internal import Synchronization

/// Runs the operator's program for each outcome, with the manifest on its standard input.
///
/// What is still to be told lies on the disk (`Notices`), so that neither a crash nor a long outage of the program loses
/// anything; in memory there is only a bounded part of it. An outcome may be told twice, but never not at all as long as
/// attempts are left.
final class Notifier: Sendable {
    private let spool: Spool
    private let log: ServiceLog
    private let tally: Tally
    private let stop: StopFlag
    private let abandon: StopFlag
    private let wake: EventFlag
    // What an earlier service left is found by looking.
    private let schedule = Mutex(NoticeSchedule())

    init(spool: Spool, log: ServiceLog, tally: Tally, signals: ServiceSignals) throws(Errno) {
        self.spool = spool
        self.log = log
        self.tally = tally
        stop = signals.stop
        abandon = signals.abandon
        wake = try EventFlag()
    }

    /// There is an outcome to tell of.
    func tell(_ id: ClaimID) {
        schedule.withLock { $0.add(id, at: .now) }
        wake.set()
    }

    /// A thread's work, until the service stops.
    ///
    /// - Parameter settings: gives the settings that hold at the moment.
    func work(by settings: () -> ServeSettings) {
        while !stop.isSet {
            refill()
            guard let notice = schedule.withLock({ $0.take(at: .now) }) else {
                pause()
                continue
            }
            // Whoever woke first has reset what would wake the others, and there may be more than this one to tell.
            wake.set()
            let isOver = run(notice, by: settings())
            schedule.withLock { $0.finish(notice, isOver: isOver, at: .now) }
        }
    }

    /// Notices that are known, waiting or being told.
    var pending: Int { schedule.withLock { $0.count } }

    /// Looks at the disk for notices that memory does not hold.
    private func refill() {
        guard schedule.withLock({ $0.wantsMore }) else { return }
        do throws(SpoolFailure) {
            let ids = try spool.notices(atMost: NoticeSchedule.capacity)
            schedule.withLock { $0.add(ids, isAll: ids.count < NoticeSchedule.capacity, at: .now) }
        } catch {
            // Asked again at the next turn.
        }
    }

    private func pause() {
        let due = schedule.withLock { $0.nextDue } ?? .now.advanced(by: .seconds(30))
        let deadline = min(due, .now.advanced(by: .seconds(30)))
        _ = try? Poll.readable([wake.descriptor.rawValue, stop.descriptor.rawValue], until: deadline)
        wake.reset()
    }

    /// Runs the program once.
    ///
    /// - Returns: true when the notice needs no further run.
    private func run(_ notice: NoticeSchedule.Entry, by settings: ServeSettings) -> Bool {
        guard let program = settings.notifyCommand.first else { return forget(notice.id) }
        let problem: String?
        do throws(SpoolFailure) {
            guard let manifest = try spool.open(notice: notice.id) else { return true }
            problem = run(program, Array(settings.notifyCommand.dropFirst()), on: manifest, settings)
        } catch {
            problem = "\(error)"
        }
        guard let problem else {
            log.notified(notice.id)
            return forget(notice.id)
        }
        // A service that is stopping has no time to wait for the program; it is run anew after the next start.
        if abandon.isSet { return false }
        let isLast = notice.attempts + 1 >= settings.notifyAttempts
        log.notifyFailed(notice.id, problem, attempt: notice.attempts + 1, isLast: isLast)
        if isLast { tally.countUntold() }
        return isLast && forget(notice.id)
    }

    /// What went wrong, or nil.
    private func run(
        _ program: String, _ arguments: [String], on manifest: borrowing FileDescriptor, _ settings: ServeSettings
    ) -> String? {
        do throws(Errno) {
            var process = try ChildProcess.spawn(
                executable: FilePath(program), arguments: arguments, environment: Self.environment, reading: manifest)
            let deadline = MonotonicInstant.now.advanced(by: .seconds(settings.notifyTimeoutSeconds))
            let ready = try Poll.readable(
                [process.processDescriptor.rawValue, abandon.descriptor.rawValue], until: deadline)
            guard ready[0] else {
                // Its end kills the whole group.
                process.killGroup(signal: SIGKILL)
                return ready[1] ? "the service is stopping" : "not done after \(settings.notifyTimeoutSeconds) s"
            }
            let status = process.wait()
            return status == .exited(0) ? nil : "it \(status)"
        } catch {
            return "it cannot be run: \(error)"
        }
    }

    private func forget(_ id: ClaimID) -> Bool {
        // Left over, it would be told once more after the next start.
        try? spool.removeNotice(id)
        return true
    }

    private static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]
}
