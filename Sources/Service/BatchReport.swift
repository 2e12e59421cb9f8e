internal import AttachmentRules
internal import Glibc
internal import JobProtocol
internal import Kernel
internal import Synchronization
internal import WorkerPool

/// Tells a person, and a program on standard output, how a batch goes.
public final class BatchReport: Sendable {
    /// Where the lines for people go.
    public enum Audience: Sendable {
        /// Manifests on standard output, one a line, and nothing else there.
        case program
        case person
    }

    private let audience: Audience
    private let isQuiet: Bool
    private let maxBytes: Int
    private let showsProgress: Bool
    private let counts: Mutex<BatchCounts>

    /// - Parameters:
    ///   - isQuiet: no progress and no table, only refusals.
    ///   - maxBytes: the budget that a proof of quality is held against, in bytes.
    public init(for audience: Audience, isQuiet: Bool, maxBytes: Int) {
        self.audience = audience
        self.isQuiet = isQuiet
        self.maxBytes = maxBytes
        showsProgress = !isQuiet && isatty(2) == 1
        counts = Mutex(BatchCounts(start: ContinuousClock.now))
    }

    /// True when something was refused, or was not the best that fits.
    public var hasComplaints: Bool {
        counts.withLock { $0.rejected > 0 || $0.notTheBest > 0 }
    }

    func begin(count: Int, allowsWeakSandbox: Bool) {
        counts.withLock { $0.total = count }
        if allowsWeakSandbox { say(WeakSandbox.isAllowed) }
    }

    /// Tells once, and again in the table, what the decoders' sandbox lacks.
    func warn(of layers: Set<MissingLayer>) {
        guard !layers.isEmpty else { return }
        let news = counts.withLock { counts in
            let news = layers.subtracting(counts.missingLayers)
            counts.missingLayers.formUnion(news)
            return news
        }
        if !news.isEmpty { say(clearingLine + WeakSandbox.isUsed(news)) }
    }

    func add(_ workers: WorkerCounts) {
        counts.withLock { $0.workers += workers }
    }

    func tell(_ outcome: PictureOutcome, of path: FilePath) throws(BatchFailure) {
        let name = path.escapedForTerminal
        let failure = counts.withLock { counts -> Errno? in
            counts.add(outcome)
            var complaint: String?
            switch outcome {
            case .rejected(let manifest):
                if let rejection = manifest.rejection {
                    // The message may come from a worker that was taken over.
                    let message = FilePath(rejection.message).escapedForTerminal
                    complaint = "\(name): \(rejection.code.rawValue) (\(rejection.rule.rawValue)): \(message)"
                }
            case .published(_, let proof?) where proof.bytes > maxBytes:
                counts.provedBest += 1
            case .published(let manifest, let proof?):
                counts.notTheBest += 1
                complaint =
                    "\(name): Q \(manifest.encoder?.quality ?? 0) was not the best: Q \(proof.quality) needs "
                    + "\(proof.bytes) bytes"
            default: break
            }
            if let complaint {
                say(clearingLine + "mediaprep: \(complaint)\n")
            }
            if showsProgress, let line = counts.progress(at: ContinuousClock.now) {
                say(clearingLine + line)
            }
            guard case .program = audience else { return nil }
            return write(ManifestCoding.line(outcome.manifest) + Array("\n".utf8))
        }
        if let failure { throw .standardOutput(failure) }
    }

    /// Prints the table at the end.
    public func finish() throws(BatchFailure) {
        say(clearingLine)
        let (table, failure) = counts.withLock { counts -> (String, Errno?) in
            let table = counts.table(at: ContinuousClock.now)
            guard case .person = audience, !isQuiet else { return (table, nil) }
            return (table, write(Array(table.utf8)))
        }
        if case .program = audience, !isQuiet { say(table) }
        if let failure { throw .standardOutput(failure) }
    }

    private var clearingLine: String { showsProgress ? "\r\u{1B}[K" : "" }

    // One write a line: lines of several lanes must not mix.
    private func write(_ bytes: [UInt8]) -> Errno? {
        do throws(Errno) {
            try StandardStream.output.writeAll(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    // Nobody is told when even the place for errors is gone.
    private func say(_ text: String) {
        try? StandardStream.error.writeAll(Array(text.utf8).span)
    }
}
