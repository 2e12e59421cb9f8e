internal import Kernel
internal import Synchronization
internal import WorkerPool

/// Threads that each own their workers and take the next piece of work when they are free.
///
/// A thread a lane, because a worker dies with the thread that started it.
struct Lanes {
    let count: Int
    let worker: WorkerConfiguration
    let stop: StopFlag
    /// Is told what became of each lane's workers, when the lane has no more work.
    let finish: @Sendable (WorkerCounts) -> Void

    /// Runs `body` for each index below `total`, once each, in order of their start.
    ///
    /// - Throws: the first failure; the pieces that were in work then are finished, no further one is begun.
    func work(
        through total: Int,
        _ body: @escaping @Sendable (Int, DecoderLanes) throws(BatchFailure) -> Void
    ) throws(BatchFailure) {
        let state = LaneState()
        let lane = { @Sendable [worker, stop, finish] in
            let lanes = DecoderLanes(worker, stop: stop)
            while !stop.isSet, let index = state.next(below: total) {
                do throws(BatchFailure) {
                    try body(index, lanes)
                } catch .workers(.stopped) {
                    // The wish to stop is seen at the head of the loop.
                } catch {
                    state.fail(error)
                }
            }
            lanes.close()
            finish(lanes.counts)
        }
        Self.run(lane, onThreads: count) { state.fail(.resources($0)) }
        if let failure = state.failure { throw failure }
    }

    /// Runs `lane` on each of `count` threads and waits for all that could be started.
    ///
    /// By recursion, because what cannot be copied cannot be kept in an array.
    private static func run(
        _ lane: @escaping @Sendable () -> Void, onThreads count: Int, orElse fail: (Errno) -> Void
    ) {
        guard count > 0 else { return }
        do throws(Errno) {
            let thread = try SystemThread.start(lane)
            run(lane, onThreads: count - 1, orElse: fail)
            thread.join()
        } catch {
            fail(error)
        }
    }
}

/// What the lanes share: the next piece of work, and whether to go on.
private final class LaneState: Sendable {
    private let shared = Mutex<(next: Int, failure: BatchFailure?)>((0, nil))

    var failure: BatchFailure? { shared.withLock { $0.failure } }

    func next(below total: Int) -> Int? {
        shared.withLock { shared in
            guard shared.failure == nil, shared.next < total else { return nil }
            defer { shared.next += 1 }
            return shared.next
        }
    }

    func fail(_ failure: BatchFailure) {
        shared.withLock { $0.failure = $0.failure ?? failure }
    }
}
