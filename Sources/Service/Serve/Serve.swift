internal import AttachmentRules
public import Configuration
internal import Glibc
public import Kernel
internal import Spool
internal import WorkerPool

/// The daemon: what appears in the inbox becomes an outcome in the outbox, until it is told to stop.
///
/// One thread watches (this one), one a lane claims and decides, some publish, and some run the operator's program.
public struct Serve {
    /// Longest time from the wish to stop to the end.
    private static let drain = Duration.milliseconds(4_800)
    /// What of it is left for giving back what was not finished.
    private static let giveBack = Duration.milliseconds(300)

    private let settings: ServeSettings
    private let workerPath: FilePath
    private let signals: ServiceSignals
    private let log: ServiceLog
    private let reload: () throws(ConfigurationError) -> ServeSettings
    private let manager = ServiceManager()

    /// - Parameters:
    ///   - worker: path of `mediaprep-worker`.
    ///   - reload: reads the settings again.
    public init(
        _ settings: ServeSettings, worker: FilePath, signals: ServiceSignals, log: ServiceLog,
        reload: @escaping () throws(ConfigurationError) -> ServeSettings
    ) {
        self.settings = settings
        workerPath = worker
        self.signals = signals
        self.log = log
        self.reload = reload
    }

    /// Works until it is told to stop and everything in work is finished or given back.
    ///
    /// Some of its threads may be about to end then, or be at something that did not end in time, such as a call to a disk
    /// that does not answer: the process is to end without exit(3), which takes down what they stand on.
    public func run() throws(ServeFailure) {
        let stalls = Stalls(log: log)
        guard let spool = try openSpool(stalls), let recovery = recover(spool, stalls) else { return }
        log.recovered(recovery)
        if settings.allowsWeakSandbox { log.allowsWeakSandbox() }
        let service: ServeContext
        let ready: Latch
        do throws(Errno) {
            service = try ServeContext(
                spool: spool, recovery: recovery, stalls: stalls, signals: signals, log: log, workerPath: workerPath,
                settings: settings)
            ready = try Latch(count: settings.lanes)
        } catch {
            throw .resources(error)
        }
        do throws(Errno) {
            try start(service, ready)
            try watch(service, ready)
        } catch {
            service.crew.fail(.resources(error))
        }
        try end(service)
    }

    /// Nil when it was told to stop while something was in the way.
    private func openSpool(_ stalls: Stalls) throws(ServeFailure) -> Spool? {
        var fatal: SpoolFailure?
        let spool = stalls.persist(until: signals.stop) { () -> Stalls.Attempt<Spool?> in
            do throws(SpoolFailure) {
                return .done(
                    try Spool(settings.places, syncs: settings.syncs, longestFile: Limits().fileBytes))
            } catch {
                if error.kind == .fault { return obstacle(error) }
                fatal = error
                return .done(nil)
            }
        }
        if let fatal { throw .spool(fatal) }
        return spool ?? nil
    }

    private func recover(_ spool: Spool, _ stalls: Stalls) -> Recovery? {
        stalls.persist(until: signals.stop) { () -> Stalls.Attempt<Recovery> in
            do throws(SpoolFailure) { return .done(try spool.recover()) } catch { return obstacle(error) }
        }
    }

    private func obstacle<Value: ~Copyable>(_ failure: SpoolFailure) -> Stalls.Attempt<Value> {
        manager.status("\(failure)")
        return .inTheWay("\(failure)")
    }

    private func start(_ service: ServeContext, _ ready: Latch) throws(Errno) {
        defer { service.crew.startEnded() }
        let working = try Latch(count: settings.lanes)
        for number in 0..<settings.lanes {
            try service.crew.start {
                ServeLane(number: number, service: service, ready: ready).work()
                working.arrive()
                // The publishers end when nothing more can come.
                if working.opened.isSet { service.decided.close() }
            }
        }
        for _ in 0..<settings.publishers { try service.crew.start { Publisher(service: service).work() } }
        for _ in 0..<settings.notifyJobs { try service.crew.start { service.notifier.work { service.settings } } }
    }

    /// The loop that finds what arrives. The watchdog hears from it alone, and only while no lane is stuck in a picture.
    private func watch(_ service: ServeContext, _ ready: Latch) throws(Errno) {
        let arrivals = Arrivals(places: settings.places, settings: settings.arrivals, queue: service.queue)
        var isReady = false
        var nextBeat = MonotonicInstant.now
        var status = service.status
        while !signals.stop.isSet, !service.crew.failed.isSet {
            for news in arrivals.advance() {
                log.arrivals(news)
                if let mode = news.mode { service.tally.tell(watch: mode) }
            }
            if !isReady, ready.opened.isSet {
                isReady = true
                log.ready(settings)
                manager.ready(service.status)
            }
            if signals.takeReload() { reload(service, arrivals) }
            if service.spool.hasLostLock {
                service.crew.fail(.spool(SpoolFailure(settings.root.appending("lock"), .fileExists)))
            }
            let now = MonotonicInstant.now
            if let watchdog = manager.watchdog, nextBeat <= now {
                if service.heartbeat.isSteady(at: now) { manager.alive() }
                nextBeat = now.advanced(by: watchdog / 3)
            }
            service.writeState(at: now, always: false)
            if isReady, service.status != status {
                status = service.status
                manager.status(status)
            }
            var numbers =
                arrivals.descriptors + [
                    signals.stop.descriptor.rawValue, signals.reload.descriptor.rawValue,
                    service.crew.failed.descriptor.rawValue,
                ]
            if !isReady { numbers.append(ready.opened.descriptor.rawValue) }
            let deadline = [arrivals.deadline, service.tally.deadline, manager.watchdog == nil ? nil : nextBeat]
                .compactMap { $0 }.min()
            _ = try Poll.readable(numbers, until: deadline ?? .now.advanced(by: .seconds(30)))
        }
    }

    /// All of the new settings, or none of them.
    private func reload(_ service: ServeContext, _ arrivals: Arrivals) {
        manager.reloading(at: .now)
        do throws(ConfigurationError) {
            let new = try reload()
            let fixed = new.changesThatNeedRestart(from: service.settings)
            if fixed.isEmpty {
                service.settings = new
                log.setFormat(new.logFormat)
                arrivals.apply(new.arrivals)
                log.reloaded()
            } else {
                log.notReloaded("\(fixed.joined(separator: ", ")) cannot change while the service runs; restart it")
            }
        } catch {
            log.notReloaded("\(error)")
        }
        manager.ready(service.status)
    }

    /// Lets what is in work end, and gives back what does not.
    private func end(_ service: ServeContext) throws(ServeFailure) {
        log.stopping()
        signals.stop.set()
        manager.stopping()
        let end = MonotonicInstant.now.advanced(by: Self.drain)
        let ended = service.crew.ended.descriptor.rawValue
        // With a failure there is nothing to wait for.
        let hurry = service.crew.failed.isSet ? service.crew.failed : signals.abandon
        _ = try? Poll.readable([ended, hurry.descriptor.rawValue], until: end.advanced(by: .zero - Self.giveBack))
        signals.abandon.set()
        // A second signal may have come at once: then nobody waits for the rest of the time.
        _ = try? Poll.readable([ended], until: min(end, .now.advanced(by: Self.giveBack)))
        service.writeState(at: .now, always: true)
        log.stopped()
        if let failure = service.crew.failure { throw failure }
    }
}
