internal import AttachmentRules
internal import Configuration
internal import Kernel
internal import Spool
internal import WorkerPool

/// Claims one file after the other and decides each, with workers of its own.
///
/// A thread a lane, because a worker dies with the thread that started it.
struct ServeLane: Sendable {
    let number: Int
    let service: ServeContext
    /// Told when the first worker is ready.
    let ready: Latch

    func work() {
        var worker = service.settings.worker(at: service.workerPath)
        var lanes = DecoderLanes(worker, stop: service.abandon)
        var patience = LanePatience()
        defer { lanes.close() }
        guard start(lanes, &patience) else { return }
        ready.arrive()
        while let next = nextClaim() {
            let settings = service.settings
            let wanted = settings.worker(at: service.workerPath)
            if wanted != worker {
                service.tally.retire(lane: number)
                lanes.close()
                worker = wanted
                lanes = DecoderLanes(worker, stop: service.abandon)
            }
            decide(next, by: settings, on: lanes, &patience)
            tell(of: lanes)
        }
    }

    /// False when it was given up.
    private func start(_ lanes: DecoderLanes, _ patience: inout LanePatience) -> Bool {
        let isReady: Void? = service.stalls.persist(until: service.stop) { () -> Stalls.Attempt<Void> in
            do throws(WorkerPoolError) {
                try lanes.pictures.start()
                patience.succeeded()
                return .done(())
            } catch {
                return obstacle(error, &patience)
            }
        }
        tell(of: lanes)
        return isReady != nil
    }

    private func tell(of lanes: DecoderLanes) {
        service.log.weakSandbox(service.tally.tell(lanes.counts, missing: lanes.missingLayers, lane: number))
    }

    private struct Next: ~Copyable {
        let claim: Claim
        /// A service died over it, twice or by itself: it is not to be worked on again.
        var isSuspect = false
        /// It could not go back to the inbox, and is decided as it is.
        var isReturned = false
    }

    /// The next claim: what lies in work without a thread first, then what waits in the inbox.
    private func nextClaim() -> Next? {
        while !service.stop.isSet {
            if let entry = service.recovered.take() {
                guard let claim = resume(entry.claim) else {
                    service.finish(entry.claim.name, again: false)
                    continue
                }
                let isSuspect = entry.claim.hasCrashed || entry.claim.attempts >= 2
                return Next(claim: claim, isSuspect: isSuspect, isReturned: entry.isReturned)
            }
            let candidate = service.queue.next(stop: service.stop, besides: service.recovered.available)
            if let candidate, let claim = claim(candidate) { return Next(claim: claim) }
        }
        return nil
    }

    private func resume(_ entry: ClaimEntry) -> Claim? {
        service.stalls.persist(until: service.stop) { () -> Stalls.Attempt<Claim?> in
            do throws(SpoolFailure) {
                return .done(try service.spool.resume(entry))
            } catch {
                return .inTheWay("\(error)")
            }
        } ?? nil
    }

    private func claim(_ candidate: Candidate) -> Claim? {
        let attempt = service.stalls.persist(until: service.stop) { () -> Stalls.Attempt<ClaimAttempt> in
            defer { service.collectStranded() }
            do throws(SpoolFailure) {
                return .done(try service.spool.claim(candidate))
            } catch {
                return .inTheWay("\(error)")
            }
        }
        // Told to stop, it is where it was.
        guard let attempt else { return nil }
        switch consume attempt {
        case .claimed(let claim):
            return claim
        case .gone:
            service.finish(candidate.name, again: false)
        case .changed:
            service.finish(candidate.name, again: true)
        case .immovable(let error):
            service.log.immovable(candidate.name, error)
            service.queue.refused(candidate)
        }
        return nil
    }

    private func decide(
        _ next: consuming Next, by settings: ServeSettings, on lanes: DecoderLanes, _ patience: inout LanePatience
    ) {
        let (isSuspect, isReturned) = (next.isSuspect, next.isReturned)
        let claim = next.claim
        let run = ClaimRun(settings)
        let start = MonotonicInstant.now
        var postponed: String?
        let attempt = service.stalls.persist(until: service.abandon) { () -> Stalls.Attempt<ClaimRun.Outcome?> in
            service.heartbeat.begin(lane: number, limit: settings.longestAttempt)
            defer { service.heartbeat.end(lane: number) }
            do throws(WorkFailure) {
                let isPatient = start.duration(to: .now) < Self.patienceInReading
                let conduct = ClaimRun.Conduct(
                    isSuspect: isSuspect, isPatient: isPatient,
                    begin: { service.heartbeat.begin(lane: number, limit: settings.longestAttempt) },
                    hear: { service.log.remark($0, on: $1) })
                let outcome = try run.outcome(of: claim, in: service.spool, on: lanes, conduct)
                patience.succeeded()
                if outcome.manifest.clip != nil, !outcome.isReused { service.stalls.tell(ofClips: nil) }
                return .done(outcome)
            } catch {
                switch error {
                case .resources(let error):
                    return .inTheWay("The system gives no more descriptors or memory: \(error).")
                case .source(let error):
                    return .inTheWay("A file in work cannot be read: \(error); check the disk.")
                case .workers(let error): return obstacle(error, &patience)
                case .clipWorkers(let error):
                    // What cannot lie in the inbox meanwhile has to be waited for.
                    if isReturned { return obstacle(error, &patience) }
                    postponed = "\(error)"
                    return .done(nil)
                }
            }
        }
        if let postponed {
            // A stranger's film is not to hold up pictures, whatever keeps it from being read.
            service.stalls.tell(ofClips: postponed)
            service.log.postponed(claim.name, postponed)
            return service.giveBack(claim, after: Self.patienceWithClips)
        }
        guard let decided = attempt ?? nil else { return service.giveBack(claim) }
        // Nobody has to know of a file whose writer was not done: it is looked at again when it has settled.
        if decided.manifest.rejection?.code == .changedWhileRead, !isSuspect, !isReturned {
            return service.giveBack(claim)
        }
        // A suspect stays one until its refusal is written.
        let ended = isSuspect ? claim : service.spool.endAttempt(of: claim)
        ended.putDown()
        service.decided.give(Decision(claim: ended, outcome: decided, start: start))
    }

    /// How long an error in reading a file may be the disk's; after that it is the file that is refused.
    private static let patienceInReading = Duration.seconds(30)

    /// How long a sound or film is left alone where there is no worker for it.
    private static let patienceWithClips = Duration.seconds(60)

    private func obstacle<Value: ~Copyable>(
        _ error: WorkerPoolError, _ patience: inout LanePatience
    ) -> Stalls.Attempt<Value> {
        if error != .stopped, patience.isExhausted(by: error, at: .now) { service.crew.fail(.workers(error)) }
        return .inTheWay("\(error)")
    }
}
