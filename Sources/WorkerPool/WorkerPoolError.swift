public import JobProtocol
public import Kernel

/// Why the pool itself cannot go on; no file is to blame.
public enum WorkerPoolError: Error, Equatable, Sendable {
    /// No worker gets as far as its first job.
    case cannotStart(executable: FilePath, StartFailure)
    /// Workers start, and are gone again before they read a job.
    case workersDoNotStay(executable: FilePath)
    /// The stop flag was set.
    case stopped
    /// A system call failed in the supervisor, such as for want of descriptors.
    case system(Errno)

    /// What went wrong with one start.
    public enum StartFailure: Error, Equatable, Sendable {
        /// The program cannot be run.
        case notSpawned(Errno)
        /// It ended before its greeting.
        case ended(ExitStatus)
        /// It did not greet within this time.
        case silent(Duration)
        /// It sent something else, or speaks another version.
        case badGreeting
        /// These layers of its sandbox are not in force.
        case notConfined([MissingLayer])

        /// False where a second attempt can only end as the first.
        var mayPass: Bool {
            switch self {
            case .notSpawned(let error):
                ![.noSuchFileOrDirectory, .notDirectory, .permissionDenied, .notExecutable].contains(error)
            case .badGreeting, .notConfined: false
            case .ended, .silent: true
            }
        }
    }
}

extension WorkerPoolError: CustomStringConvertible {
    /// One sentence for the operator.
    public var description: String {
        switch self {
        case .cannotStart(let executable, let failure):
            "no worker can be started from \(executable): \(failure)"
        case .workersDoNotStay(let executable):
            "workers started from \(executable) end before they read a job"
        case .stopped: "stopped"
        case .system(let error): "cannot talk to workers: \(error)"
        }
    }
}

extension WorkerPoolError.StartFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notSpawned(let error): "\(error)"
        case .ended(let status): "it \(status) before its first job"
        case .silent(let time): "it was not ready after \(time.inSeconds)"
        case .badGreeting: "it does not speak this version's protocol"
        case .notConfined(let missing):
            "its sandbox cannot be built - \(missing.sentence); strangers' pictures are not decoded without it unless "
                + "--allow-weak-sandbox says so"
        }
    }
}

extension Collection<MissingLayer> {
    /// For a sentence: "landlock is missing (Landlock: Function not implemented)".
    public var sentence: String {
        sorted { $0.layer.rawValue < $1.layer.rawValue }.map { "\($0.layer.rawValue) is missing (\($0.reason))" }
            .joined(separator: ", ")
    }
}
