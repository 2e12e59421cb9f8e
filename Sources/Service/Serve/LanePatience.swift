internal import Kernel
internal import WorkerPool

/// How long a lane tries to get a worker before the service ends.
struct LanePatience {
    /// None before the first worker has started: an installation that is broken is told at once.
    private var limit = Duration.zero
    private var failing: MonotonicInstant?

    /// What keeps workers from starting may pass, such as an upgrade in the middle of its files.
    private static let onceStarted = Duration.seconds(60)

    mutating func succeeded() {
        limit = Self.onceStarted
        failing = nil
    }

    /// Whether to end over `failure`.
    mutating func isExhausted(by failure: WorkerPoolError, at now: MonotonicInstant) -> Bool {
        if failure.isShortage { return false }
        let since = failing ?? now
        failing = since
        return since.duration(to: now) >= limit
    }
}

extension WorkerPoolError {
    /// True where the system lacks something for a while.
    var isShortage: Bool {
        switch self {
        case .system(let error), .cannotStart(_, .notSpawned(let error)): error.isShortage
        default: false
        }
    }
}
