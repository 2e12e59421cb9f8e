import Glibc
public import JobProtocol
public import Kernel

/// A place where one job at a time is worked on, by a worker process that is replaced whenever it has to be.
///
/// A lane belongs to the thread that made it, which is why it is not `Sendable`, and that thread has to live as long as
/// the lane: a worker asks the kernel to be killed when its parent dies (PR_SET_PDEATHSIG), and what the kernel takes
/// for the parent is the *thread* that spawned it. A thread of a pool that is sent home takes its worker along.
public final class WorkerLane {
    private let configuration: WorkerConfiguration
    private let stop: StopFlag?
    private var worker: Worker?

    /// Starts nothing yet. Once `stop` is set, a job in work is given up.
    public init(_ configuration: WorkerConfiguration, stop: StopFlag? = nil) {
        self.configuration = configuration
        self.stop = stop
    }

    /// The process id of the worker, if there is one.
    public var workerPID: Int32? { worker?.pid }

    /// Starts the worker ahead of the first job.
    public func start() throws(WorkerPoolError) {
        if worker == nil { worker = try startWorker() }
    }

    /// Lets the worker decode `source` into `result`, which is empty, and waits for its reply.
    ///
    /// A reply to trust in that it belongs to `request`; what it says, and what is in `result`, is for the caller to
    /// check. After a fault the worker is dead and nobody has `result` mapped any more. An error means that the pool
    /// cannot go on.
    public func run(
        _ request: JobRequest, source: borrowing SealedFile, result: borrowing MemoryFile
    ) throws(WorkerPoolError) -> Result<JobReply, WorkerFault> {
        let message: [UInt8]
        do throws(JobCodingError) {
            message = try JobCoding.encode(request)
        } catch {
            switch error {
            case .tooLong(let bytes): return .failure(.requestTooLong(bytes: bytes))
            case .malformed: throw .system(.invalidArgument)
            }
        }
        for _ in 0..<configuration.startAttempts {
            var current = try takeWorker()
            do throws(JobInterruption) {
                let reply = try current.run(
                    request, message: message, source: source, result: result,
                    deadline: configuration.jobDeadline, stop: stop)
                // Only a worker that answered is used again; any other dies at the end of this turn.
                worker = consume current
                return .success(reply)
            } catch {
                switch error {
                case .fault(let fault): return .failure(fault)
                case .notServed: continue
                case .stopped: throw .stopped
                case .system(let error): throw .system(error)
                }
            }
        }
        throw .workersDoNotStay(executable: configuration.executable)
    }

    /// Ends the worker, as the end of the lane's own life does.
    public func close() {
        worker = nil
    }

    private func takeWorker() throws(WorkerPoolError) -> Worker {
        if let idle = worker.take() { return idle }
        return try startWorker()
    }

    private func startWorker() throws(WorkerPoolError) -> Worker {
        var pause = configuration.startPause
        var attempt = 1
        while true {
            do throws(StartInterruption) {
                return try Worker.start(configuration, supervisor: getpid(), stop: stop)
            } catch {
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
