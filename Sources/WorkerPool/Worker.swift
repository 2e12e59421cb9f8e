import JobProtocol
import Kernel

/// One worker process that has greeted, and the socket to it. Where its life ends, the process is killed and reaped.
struct Worker: ~Copyable {
    private var process: ChildProcess
    private let socket: MessageSocket

    var pid: Int32 { process.pid }

    /// Spawns the process and waits for its greeting.
    static func start(
        _ configuration: WorkerConfiguration, supervisor: Int32, stop: StopFlag?
    ) throws(StartInterruption) -> Worker {
        var worker: Worker
        let event: Event
        do throws(Errno) {
            worker = try Worker(configuration, supervisor: supervisor)
        } catch {
            throw .failed(.notSpawned(error))
        }
        do throws(Errno) {
            event = try worker.nextEvent(until: .now.advanced(by: configuration.startDeadline), stop: stop)
        } catch {
            throw .system(error)
        }
        switch event {
        case .message(let bytes):
            guard (try? JobCoding.decode(WorkerGreeting.self, from: bytes)) == .current else {
                throw .failed(.badGreeting)
            }
            return worker
        case .tooLong: throw .failed(.badGreeting)
        case .ended(let status), .endedUnserved(let status): throw .failed(.ended(status))
        case .deadline: throw .failed(.silent(configuration.startDeadline))
        case .stopped: throw .stopped
        }
    }

    private init(_ configuration: WorkerConfiguration, supervisor: Int32) throws(Errno) {
        let pair = try MessageSocket.pair()
        process = try ChildProcess.spawn(
            executable: configuration.executable, arguments: configuration.arguments(supervisor: supervisor),
            environment: WorkerConfiguration.environment, inheriting: pair.far)
        socket = pair.near
    }

    /// Sends one job and waits for its answer. After any error there is nothing more to expect of this worker.
    mutating func run(
        _ request: JobRequest, message: [UInt8], source: borrowing SealedFile, result: borrowing MemoryFile,
        deadline: Duration, stop: StopFlag?
    ) throws(JobInterruption) -> JobReply {
        try send(message, descriptors: [source.descriptor.rawValue, result.descriptor.rawValue])
        let event: Event
        do throws(Errno) {
            event = try nextEvent(until: .now.advanced(by: deadline), stop: stop)
        } catch {
            throw .system(error)
        }
        switch event {
        case .message(let bytes): return try Self.reply(bytes, to: request)
        case .tooLong: throw .fault(.badReply("it is longer than \(JobCoding.maximumReplyBytes) bytes"))
        case .ended(let status): throw .fault(.crashed(status))
        case .endedUnserved: throw .notServed
        case .deadline: throw .fault(.timedOut(deadline))
        case .stopped: throw .stopped
        }
    }

    private func send(_ message: [UInt8], descriptors: [Int32]) throws(JobInterruption) {
        do throws(Errno) {
            // Between two jobs a worker has nothing to say: what there is to read now is its end, or a lie.
            let numbers = [socket.descriptor.rawValue, process.processDescriptor.rawValue]
            guard try Poll.readable(numbers, until: .now) == [false, false] else { throw .brokenPipe }
            try socket.send(message, descriptors: descriptors)
        } catch {
            switch error {
            case .brokenPipe, .connectionReset, .wouldBlock: throw .notServed
            case .messageTooLong: throw .fault(.requestTooLong(bytes: message.count))
            default: throw .system(error)
            }
        }
    }

    private static func reply(_ bytes: [UInt8], to request: JobRequest) throws(JobInterruption) -> JobReply {
        guard let reply = try? JobCoding.decode(JobReply.self, from: bytes) else {
            throw .fault(.badReply("it is not a reply"))
        }
        guard reply.id == request.id else {
            throw .fault(.badReply("it belongs to job \(reply.id), not to \(request.id)"))
        }
        switch (request.kind, reply.outcome) {
        case (_, .refused), (.plan, .planned), (.render, .rendered), (.renderAndProve, .rendered): return reply
        default: throw .fault(.badReply("it answers another question"))
        }
    }

    /// What happens first: a message, the end of the process (which is reaped then), `deadline` or `stop`.
    private mutating func nextEvent(until deadline: MonotonicInstant, stop: StopFlag?) throws(Errno) -> Event {
        let socketNumber = socket.descriptor.rawValue
        let processNumber = process.processDescriptor.rawValue
        let stopNumbers = stop.map { [$0.descriptor.rawValue] } ?? []
        let ready = try Poll.readable([socketNumber, processNumber] + stopNumbers, until: deadline)
        // A process that has ended may have answered just before; its socket is asked again for that.
        let hasMessage = ready[1] ? try Poll.readable([socketNumber], until: .now)[0] : ready[0]
        if hasMessage {
            do throws(Errno) {
                let limit = JobCoding.maximumReplyBytes
                if let message = try socket.receive(maximumBytes: limit, maximumDescriptors: 0) {
                    return .message(message.bytes)
                }
            } catch .messageTooLong {
                return .tooLong
            } catch .connectionReset {
                return .endedUnserved(end())
            }
        }
        if ready[1] {
            // Nobody says so while a child that is being started elsewhere still has a copy of the other end.
            let isUnserved = try socket.hasUnread
            return isUnserved ? .endedUnserved(end()) : .ended(end())
        }
        if hasMessage {
            // The socket is closed and the process about to end. One that lives on without it is as good as hung.
            let ready = try Poll.readable([processNumber] + stopNumbers, until: deadline)
            if ready[0] { return .ended(end()) }
            return ready.contains(true) ? .stopped : .deadline
        }
        return ready.contains(true) ? .stopped : .deadline
    }

    /// Kills what is left of the process group and reaps the process.
    private mutating func end() -> ExitStatus {
        process.killGroup(signal: 9)
        return process.wait()
    }

    private enum Event {
        case message([UInt8])
        case tooLong
        case ended(ExitStatus)
        /// It ended with something in its socket that it had not read.
        case endedUnserved(ExitStatus)
        case deadline
        case stopped
    }
}

/// Why a worker did not come to its greeting.
enum StartInterruption: Error {
    case failed(WorkerPoolError.StartFailure)
    case stopped
    case system(Errno)
}

/// Why a job came back without an answer.
enum JobInterruption: Error {
    case fault(WorkerFault)
    /// The worker was gone, or not listening, before it had read the job: the file has nothing to do with it.
    case notServed
    case stopped
    case system(Errno)
}
