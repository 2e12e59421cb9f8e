internal import Kernel
internal import Synchronization

/// The threads of the service: how many still run, and the first failure that ends them all.
final class Crew: Sendable {
    private let shared = Mutex<(running: Int, failure: ServeFailure?)>((1, nil))
    /// Set when none runs any more.
    let ended: StopFlag
    /// Set by the first failure.
    let failed: StopFlag

    init() throws(Errno) {
        ended = try StopFlag()
        failed = try StopFlag()
    }

    var failure: ServeFailure? { shared.withLock { $0.failure } }

    /// Starts a thread that counts until `body` returns.
    func start(_ body: @escaping @Sendable () -> Void) throws(Errno) {
        shared.withLock { $0.running += 1 }
        do throws(Errno) {
            try SystemThread.start { [self] in
                body()
                leave()
            }.detach()
        } catch {
            leave()
            throw error
        }
    }

    /// No further thread will be started: until then the crew does not end.
    func startEnded() { leave() }

    func fail(_ failure: ServeFailure) {
        shared.withLock { $0.failure = $0.failure ?? failure }
        failed.set()
    }

    private func leave() {
        let isLast = shared.withLock { shared in
            shared.running -= 1
            return shared.running == 0
        }
        if isLast { ended.set() }
    }
}
