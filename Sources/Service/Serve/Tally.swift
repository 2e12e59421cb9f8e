internal import AttachmentRules
internal import Glibc
internal import JobProtocol
internal import Kernel
internal import Synchronization
internal import WorkerPool

/// What the service says of itself: counted by its threads, and written to the state file by the main loop.
final class Tally: Sendable {
    private struct Shared {
        var state: ServiceState
        /// What became of each lane's workers, and of those of lanes that began anew.
        var lanes: [Int: WorkerCounts] = [:]
        var earlier = WorkerCounts()
        var missing: Set<MissingLayer> = []
        /// Whether the file is out of date.
        var isStale = true
        var earliestWrite = MonotonicInstant.now
    }

    /// Shortest time between two writes.
    private static let interval = Duration.seconds(1)

    private let root: FilePath
    private let shared: Mutex<Shared>

    /// - Parameter root: the directory of the state file. What the service before counted today is counted on.
    init(root: FilePath) {
        self.root = root
        let now = UTCTime.now
        var state = ServiceState(pid: getpid(), startedAt: now)
        if let directory = try? FileDescriptor.open(root, flags: .directory),
            let earlier = ServiceState.read(in: directory)
        {
            state.continueDay(of: earlier, at: now)
        }
        shared = Mutex(Shared(state: state))
    }

    func count(_ manifest: Manifest, isReused: Bool) {
        let outcome: ServiceState.Outcome =
            if let rejection = manifest.rejection {
                .rejected(code: rejection.code.rawValue)
            } else {
                isReused ? .reused : .published
            }
        change { $0.state.add(outcome, at: .now) }
    }

    /// What became of the workers of a lane so far.
    ///
    /// - Returns: the layers of the sandbox that nobody was told to be missing before.
    func tell(_ counts: WorkerCounts, missing: Set<MissingLayer>, lane: Int) -> Set<MissingLayer> {
        shared.withLock { shared in
            let news = missing.subtracting(shared.missing)
            if shared.lanes[lane] != counts || !news.isEmpty {
                shared.lanes[lane] = counts
                shared.missing.formUnion(news)
                shared.isStale = true
            }
            return news
        }
    }

    /// The lane begins anew, with counts from 0.
    func retire(lane: Int) {
        change { shared in
            if let counts = shared.lanes.removeValue(forKey: lane) { shared.earlier += counts }
        }
    }

    func countUntold() {
        change { $0.state.notify.failed += 1 }
    }

    func tell(watch: ServiceState.Watch) {
        change { $0.state.watch = watch }
    }

    /// When the file is to be written, if it is out of date.
    var deadline: MonotonicInstant? {
        shared.withLock { $0.isStale ? $0.earliestWrite : nil }
    }

    /// Writes the file, if it is out of date and was not written just before.
    ///
    /// - Parameters:
    ///   - faults: what stalls now.
    ///   - pending: notices that are still to be told.
    func write(at now: MonotonicInstant, faults: [String], pending: Int, always: Bool = false) {
        let state = shared.withLock { shared -> ServiceState? in
            if shared.state.faults != faults || shared.state.notify.pending != pending {
                shared.state.faults = faults
                shared.state.notify.pending = pending
                shared.isStale = true
            }
            guard shared.isStale, always || shared.earliestWrite <= now else { return nil }
            shared.isStale = false
            shared.earliestWrite = now.advanced(by: Self.interval)
            let sum = shared.lanes.values.reduce(into: shared.earlier) { $0 += $1 }
            shared.state.workers.crashes = sum.crashes
            shared.state.workers.timeouts = sum.timeouts
            shared.state.workers.lies = sum.lies
            shared.state.missingLayers = shared.missing.map(\.layer.rawValue).sorted()
            shared.state.updatedAt = UTCTime.now.text
            return shared.state
        }
        guard let state else { return }
        do throws(Errno) {
            try state.write(in: FileDescriptor.open(root, flags: .directory))
        } catch {
            // A full disk is told where it is in the way of outcomes; the file is tried again.
            change { _ in }
        }
    }

    private func change(_ body: (inout Shared) -> Void) {
        shared.withLock { shared in
            body(&shared)
            shared.isStale = true
        }
    }
}
