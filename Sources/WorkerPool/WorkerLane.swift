import Glibc
public import JobProtocol
public import Kernel

/// A place where one job at a time is worked on, by a worker process that is replaced whenever it has to be.
///
/// The next worker is forked while the current one works, so that replacing one costs the stream nothing.
///
/// A lane belongs to the thread that made it, which is why it is not `Sendable`, and that thread has to live as long as
/// the lane: a worker asks the kernel to be killed when its parent dies (PR_SET_PDEATHSIG), and what the kernel takes
/// for the parent is the *thread* that spawned it. A thread of a pool that is sent home takes its worker along.
public final class WorkerLane {
    private let configuration: WorkerConfiguration
    private let stop: StopFlag?
    private var template: WorkerTemplate?
    private var worker: Worker?
    /// The next worker; its greeting is read when it is needed.
    private var spare: Worker?
    /// The last worker, killed; reaped while the next one works.
    private var retired: Worker?
    public private(set) var counts = WorkerCounts()
    /// The layers of the sandbox that workers here do without, because the configuration allows it.
    public private(set) var missingLayers: Set<MissingLayer> = []

    /// Starts nothing yet. Once `stop` is set, a job in work is given up.
    public init(_ configuration: WorkerConfiguration, stop: StopFlag? = nil) {
        self.configuration = configuration
        self.stop = stop
    }

    /// The process id of the worker, if there is one.
    public var workerPID: Int32? { worker?.pid }

    /// Starts the worker ahead of the first job.
    public func start() throws(WorkerPoolError) {
        if worker == nil { worker = try takeWorker() }
    }

    /// Lets a worker decode `source` and waits for its reply. A worker that crashes, or that lies and has served before,
    /// is replaced by a fresh one that tries once more: what another picture left behind is then not to blame.
    ///
    /// A reply to trust in that it belongs to `request` and could be true; what is in the result is for the caller to
    /// check. After a fault the worker is dead. An error means that the pool cannot go on.
    public func run(
        _ request: JobRequest, source: borrowing SealedFile
    ) throws(WorkerPoolError) -> Result<WorkerAnswer, WorkerFault> {
        let message: [UInt8]
        do throws(JobCodingError) {
            message = try JobCoding.encode(request)
        } catch {
            switch error {
            case .tooLong(let bytes): return .failure(.requestTooLong(bytes: bytes))
            case .malformed: throw .system(.invalidArgument)
            }
        }
        var crashes = 0
        var unserved = 0
        while true {
            do throws(JobInterruption) {
                return .success(try attempt(request, message: message, source: source))
            } catch {
                switch error {
                case .pool(let error): throw error
                case .distrusted:
                    count(.badReply(""))
                    fallthrough
                case .notServed:
                    unserved += 1
                    if unserved == configuration.startAttempts {
                        throw .workersDoNotStay(executable: configuration.executable)
                    }
                case .fault(let fault):
                    count(fault)
                    guard case .crashed = fault, crashes == 0 else { return .failure(fault) }
                    crashes += 1
                case .stopped: throw .stopped
                case .system(let error): throw .system(error)
                }
            }
        }
    }

    /// Kills the worker whose last answer turned out to be a lie.
    public func distrust() {
        count(.badReply(""))
        bury(worker.take())
    }

    /// Ends the workers, as the end of the lane's own life does.
    public func close() {
        bury(worker.take())
        bury(spare.take())
        bury(retired.take())
        template = nil
    }

    private func attempt(
        _ request: JobRequest, message: [UInt8], source: borrowing SealedFile
    ) throws(JobInterruption) -> WorkerAnswer {
        let result: MemoryFile
        do throws(Errno) { result = try MemoryFile.create(name: "result") } catch { throw .system(error) }
        var current: Worker
        do throws(WorkerPoolError) { current = try takeWorker() } catch { throw .pool(error) }
        let reply: JobReply
        do throws(JobInterruption) {
            let start = MonotonicInstant.now
            try current.send(message, source: source, result: result)
            prepareNext()
            reply = try current.reply(to: request, within: configuration.jobDeadline, of: start, stop: stop)
        } catch {
            let hadServed = current.served > 0
            bury(current)
            if case .fault(.badReply) = error, hadServed { throw .distrusted }
            throw error
        }
        // Only a worker that answered is used again; any other dies at the end of this turn.
        if current.served < configuration.jobsPerWorker, !reply.isDecodersRefusal {
            worker = consume current
        } else {
            current.kill()
            retired = consume current
        }
        return WorkerAnswer(reply: reply, result: result)
    }

    /// Ends a worker and keeps what it took.
    private func bury(_ worker: consuming Worker?) {
        guard var worker else { return }
        counts.peakBytes = max(counts.peakBytes, worker.end().peakBytes)
    }

    private func count(_ fault: WorkerFault) {
        switch fault {
        case .crashed: counts.crashes += 1
        case .timedOut: counts.timeouts += 1
        case .badReply: counts.lies += 1
        case .requestTooLong: return
        }
        // Workers of one template have their memory laid out alike. Whoever crashes them to learn how that is has to
        // start over with every crash, and so the one that was forked beforehand goes as well.
        template = nil
        bury(spare.take())
    }

    /// Goes one step towards the next worker without waiting for anything.
    private func prepareNext() {
        bury(retired.take())
        guard spare == nil else { return }
        do throws(StartInterruption) {
            if let template {
                if try template.isReady(until: .now, stop: nil) { spare = try fork(template) }
            } else {
                template = try WorkerTemplate(configuration)
            }
        } catch {
            // Whoever needs the worker tries again, and tells.
            template = nil
        }
    }

    private func takeWorker() throws(WorkerPoolError) -> Worker {
        if let idle = worker.take() { return idle }
        if let next = spare.take(), let ready = try? greeted(next) { return ready }
        return try startWorker()
    }

    private func startWorker() throws(WorkerPoolError) -> Worker {
        var pause = configuration.startPause
        var attempt = 1
        while true {
            do throws(StartInterruption) {
                return try greeted(try fork(try readyTemplate()))
            } catch {
                template = nil
                switch error {
                case .stopped: throw .stopped
                case .system(let error): throw .system(error)
                case .failed(let failure):
                    guard attempt < configuration.startAttempts, failure.mayPass else {
                        throw .cannotStart(executable: configuration.executable, failure)
                    }
                }
            }
            try wait(pause)
            pause *= 2
            attempt += 1
        }
    }

    private func readyTemplate() throws(StartInterruption) -> WorkerTemplate {
        let current: WorkerTemplate
        if let template { current = template } else { current = try WorkerTemplate(configuration) }
        template = current
        let deadline = MonotonicInstant.now.advanced(by: configuration.startDeadline)
        guard try current.isReady(until: deadline, stop: stop) else {
            throw .failed(.silent(configuration.startDeadline))
        }
        return current
    }

    private func fork(_ template: WorkerTemplate) throws(StartInterruption) -> Worker {
        let worker = try template.fork()
        counts.started += 1
        return worker
    }

    private func greeted(_ worker: consuming Worker) throws(StartInterruption) -> Worker {
        missingLayers.formUnion(try worker.waitForGreeting(configuration, stop: stop))
        return worker
    }

    private func wait(_ pause: Duration) throws(WorkerPoolError) {
        let stopNumbers = stop.map { [$0.descriptor.rawValue] } ?? []
        let ready: [Bool]
        do throws(Errno) {
            ready = try Poll.readable(stopNumbers, until: .now.advanced(by: pause))
        } catch {
            throw .system(error)
        }
        if ready.contains(true) { throw .stopped }
    }
}
