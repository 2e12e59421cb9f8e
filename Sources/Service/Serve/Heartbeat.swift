internal import Kernel
internal import Synchronization

/// Whether the lanes make progress: what the service manager's watchdog is told depends on it.
final class Heartbeat: Sendable {
    private let ends = Mutex<[Int: MonotonicInstant]>([:])

    /// The lane begins a step that has to end by itself within `limit`.
    func begin(lane: Int, limit: Duration) {
        ends.withLock { $0[lane] = .now.advanced(by: limit) }
    }

    func end(lane: Int) {
        ends.withLock { $0[lane] = nil }
    }

    /// False when a lane is at one step for longer than it may be.
    func isSteady(at now: MonotonicInstant) -> Bool {
        ends.withLock { ends in ends.values.allSatisfy { now <= $0 } }
    }
}
