internal import Kernel
internal import Synchronization

/// Whether the lanes make progress: what the service manager's watchdog is told depends on it.
final class Heartbeat: Sendable {
    private let begun = Mutex<[Int: MonotonicInstant]>([:])

    /// The lane begins a step that has to end by itself.
    func begin(lane: Int) {
        begun.withLock { $0[lane] = .now }
    }

    func end(lane: Int) {
        begun.withLock { $0[lane] = nil }
    }

    /// False when a lane has been at one step for longer than `limit`.
    func isSteady(at now: MonotonicInstant, limit: Duration) -> Bool {
        begun.withLock { begun in begun.values.allSatisfy { $0.duration(to: now) <= limit } }
    }
}
