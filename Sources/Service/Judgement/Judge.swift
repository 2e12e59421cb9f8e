internal import JobProtocol
public import Kernel
internal import Spool
internal import Synchronization
internal import WorkerPool

/// Judges files as they are, with one worker process a lane, and tells of them in their order.
public struct Judge: Sendable {
    private let settings: JudgeSettings
    private let stop: StopFlag

    /// - Parameter stop: once it is set no further file is begun.
    public init(_ settings: JudgeSettings, stop: StopFlag) {
        self.settings = settings
        self.stop = stop
    }

    /// - Parameters:
    ///   - warn: gets a line where the decoders' sandbox may be weak, and one where it is.
    ///   - tell: gets each judgement, one after the other; what it throws ends the run.
    public func run(
        warn: @escaping @Sendable (String) -> Void,
        tell: @escaping @Sendable (FileJudgement) throws(BatchFailure) -> Void
    ) throws(BatchFailure) {
        // What systems leave behind in directories is nobody's attachment; one that is named itself is judged.
        let named = Set(settings.sources)
        let files = try SourceTree(reading: settings.sources).files.filter {
            named.contains($0.givenPath) || !PushDirectory.litter.match($0.name)
        }
        if settings.worker.allowsWeakSandbox { warn(WeakSandbox.isAllowed) }
        let warned = Warned()
        let queue = InOrder(tell)
        let judging = FileJudging(settings: settings)
        let lanes = Lanes(
            count: min(settings.jobs, files.count), worker: settings.worker, stop: stop, finish: { _ in })
        try lanes.work(through: files.count) { (index, lanes) throws(BatchFailure) in
            let judgement = try judging.judgement(of: files[index], id: UInt64(index), on: lanes)
            let news = warned.add(lanes.missingLayers)
            if !news.isEmpty { warn(WeakSandbox.isUsed(news)) }
            try queue.add(judgement, at: index)
        }
    }
}

/// The layers that were warned of.
private final class Warned: Sendable {
    private let layers = Mutex<Set<MissingLayer>>([])

    /// What of `found` is new.
    func add(_ found: Set<MissingLayer>) -> Set<MissingLayer> {
        layers.withLock { layers in
            defer { layers.formUnion(found) }
            return found.subtracting(layers)
        }
    }
}

/// Hands on what comes in any order by its number.
private final class InOrder: Sendable {
    private let tell: @Sendable (FileJudgement) throws(BatchFailure) -> Void
    private let shared = Mutex<(next: Int, waiting: [Int: FileJudgement])>((0, [:]))

    init(_ tell: @escaping @Sendable (FileJudgement) throws(BatchFailure) -> Void) {
        self.tell = tell
    }

    func add(_ judgement: FileJudgement, at index: Int) throws(BatchFailure) {
        try shared.withLock { (shared) throws(BatchFailure) in
            shared.waiting[index] = judgement
            while let next = shared.waiting.removeValue(forKey: shared.next) {
                shared.next += 1
                try tell(next)
            }
        }
    }
}
