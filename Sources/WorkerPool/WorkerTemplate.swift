import Glibc
import JobProtocol
import Kernel

/// The process that a lane's workers are forked from: its decoders are initialised, and it never sees a picture.
///
/// Starting one takes some 60 ms of the processor, forking a worker from it some 2.
final class WorkerTemplate {
    private let configuration: WorkerConfiguration
    private let server: ForkServer
    private var hasGreeted = false

    /// Spawns the process and does not wait for it.
    init(_ configuration: WorkerConfiguration) throws(StartInterruption) {
        self.configuration = configuration
        do throws(Errno) {
            server = try ForkServer(
                executable: configuration.executable, arguments: configuration.arguments(supervisor: getpid()),
                environment: WorkerConfiguration.environment)
        } catch {
            throw .failed(.notSpawned(error))
        }
    }

    /// Whether it greets by `deadline`.
    func isReady(until deadline: MonotonicInstant, stop: StopFlag?) throws(StartInterruption) -> Bool {
        if hasGreeted { return true }
        let happening: Happening
        do throws(Errno) {
            happening = try Happening.next(
                on: server.socket, of: server.processDescriptor, until: deadline, stop: stop)
        } catch {
            throw .system(error)
        }
        switch happening {
        case .message(let bytes):
            guard (try? JobCoding.decode(WorkerGreeting.self, from: bytes)) == WorkerGreeting() else {
                throw .failed(.badGreeting)
            }
            hasGreeted = true
            return true
        case .tooLong: throw .failed(.badGreeting)
        case .ended, .endedUnserved: throw .failed(.ended(server.end()))
        case .deadline: return false
        case .stopped: throw .stopped
        }
    }

    /// Forks a worker, which is then to greet.
    func fork() throws(StartInterruption) -> Worker {
        do throws(Errno) {
            let pair = try MessageSocket.pair()
            let process = try server.fork(
                passing: pair.far, until: .now.advanced(by: configuration.startDeadline))
            return Worker(process, socket: pair.near)
        } catch {
            switch error {
            case .brokenPipe, .connectionReset: throw .failed(.ended(server.end()))
            case .timedOut: throw .failed(.silent(configuration.startDeadline))
            case .wouldBlock, .outOfMemory: throw .failed(.notSpawned(error))
            default: throw .system(error)
            }
        }
    }
}

/// Why a worker did not come to its greeting.
enum StartInterruption: Error {
    case failed(WorkerPoolError.StartFailure)
    case stopped
    case system(Errno)
}
