import JobProtocol
import Kernel

/// One worker process and the socket to it. Where its life ends, the process is killed and reaped.
struct Worker: ~Copyable {
    private var process: ForkedProcess
    private let socket: MessageSocket
    /// Jobs that it has answered.
    private(set) var served = 0

    var pid: Int32 { process.pid }

    init(_ process: consuming ForkedProcess, socket: consuming MessageSocket) {
        self.process = process
        self.socket = socket
    }

    /// Waits until it has shut itself in, and for what it says about that.
    mutating func waitForGreeting(
        _ configuration: WorkerConfiguration, stop: StopFlag?
    ) throws(StartInterruption) -> [MissingLayer] {
        let happening: Happening
        do throws(Errno) {
            happening = try next(until: .now.advanced(by: configuration.startDeadline), stop: stop)
        } catch {
            throw .system(error)
        }
        switch happening {
        case .message(let bytes):
            guard let greeting = try? JobCoding.decode(WorkerGreeting.self, from: bytes),
                greeting.version == WorkerGreeting.currentVersion
            else { throw .failed(.badGreeting) }
            guard greeting.missing.isEmpty || configuration.allowsWeakSandbox else {
                throw .failed(.notConfined(greeting.missing))
            }
            return greeting.missing
        case .tooLong: throw .failed(.badGreeting)
        case .ended, .endedUnserved: throw .failed(.ended(end().status))
        case .deadline: throw .failed(.silent(configuration.startDeadline))
        case .stopped: throw .stopped
        }
    }

    /// Sends one job.
    func send(
        _ message: [UInt8], source: borrowing SealedFile, result: borrowing MemoryFile
    ) throws(JobInterruption) {
        // Between two jobs a worker has nothing to say: what there is to read now is its end, or a lie.
        if try hasSpoken() { throw .distrusted }
        do throws(Errno) {
            let numbers = [socket.descriptor.rawValue, process.processDescriptor.rawValue]
            guard try Poll.readable(numbers, until: .now) == [false, false] else { throw .brokenPipe }
            try socket.send(message, descriptors: [source.descriptor.rawValue, result.descriptor.rawValue])
        } catch {
            switch error {
            case .brokenPipe, .connectionReset, .wouldBlock: throw .notServed
            case .messageTooLong: throw .fault(.requestTooLong(bytes: message.count))
            default: throw .system(error)
            }
        }
    }

    /// Waits for the answer to the job that was sent. After any error there is nothing more to expect of this worker.
    mutating func reply(
        to request: JobRequest, within time: Duration, of start: MonotonicInstant, stop: StopFlag?
    ) throws(JobInterruption) -> JobReply {
        let happening: Happening
        do throws(Errno) {
            happening = try next(until: start.advanced(by: time), stop: stop)
        } catch {
            throw .system(error)
        }
        switch happening {
        case .message(let bytes):
            let reply = try Self.reply(bytes, to: request)
            served += 1
            return reply
        case .tooLong: throw .fault(.badReply("it is longer than \(JobCoding.maximumReplyBytes) bytes"))
        case .ended: throw .fault(.crashed(end().status))
        case .endedUnserved: throw .notServed
        case .deadline: throw .fault(.timedOut(time))
        case .stopped: throw .stopped
        }
    }

    /// Kills it without waiting for its end.
    func kill() {
        process.kill()
    }

    private static func reply(_ bytes: [UInt8], to request: JobRequest) throws(JobInterruption) -> JobReply {
        guard let reply = try? JobCoding.decode(JobReply.self, from: bytes) else {
            throw .fault(.badReply("it is not a reply"))
        }
        guard reply.id == request.id else {
            throw .fault(.badReply("it belongs to job \(reply.id), not to \(request.id)"))
        }
        if let objection = reply.objection(to: request) { throw .fault(.badReply(objection)) }
        return reply
    }

    /// Whether it has said something that nobody asked for.
    private func hasSpoken() throws(JobInterruption) -> Bool {
        do throws(Errno) {
            guard try Poll.readable([socket.descriptor.rawValue], until: .now)[0] else { return false }
            return try socket.receive(maximumBytes: 1, maximumDescriptors: 0) != nil
        } catch {
            switch error {
            case .messageTooLong: return true
            case .connectionReset: return false
            default: throw .system(error)
            }
        }
    }

    private func next(until deadline: MonotonicInstant, stop: StopFlag?) throws(Errno) -> Happening {
        try Happening.next(on: socket, of: process.processDescriptor.rawValue, until: deadline, stop: stop)
    }

    /// Kills it, waits for its end, and says how that came about.
    @discardableResult
    mutating func end() -> ForkedProcess.End {
        process.kill()
        return process.wait()
    }
}

/// Why a job came back without an answer.
enum JobInterruption: Error {
    case fault(WorkerFault)
    /// The worker was gone, or not listening, before it had read the job: the file has nothing to do with it.
    case notServed
    /// The worker lied, and an earlier picture may be to blame: it spoke before it was asked, or it had served before.
    case distrusted
    case stopped
    case system(Errno)
    /// There is no worker for it.
    case pool(WorkerPoolError)
}
