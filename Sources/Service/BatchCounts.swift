internal import AttachmentRules
internal import JobProtocol
internal import WorkerPool

/// How far a batch is, and what it came to.
struct BatchCounts: Sendable {
    var total = 0
    private(set) var published = 0
    private(set) var unchanged = 0
    private(set) var planned = 0
    private(set) var rejections: [Rejection.Code: Int] = [:]
    /// Results whose next higher quality was proved not to fit, and those where it does fit.
    var provedBest = 0
    var notTheBest = 0
    var workers = WorkerCounts()
    /// The layers of the sandbox that decoders did without.
    var missingLayers: Set<MissingLayer> = []
    private(set) var bytesIn = 0
    private(set) var bytesOut = 0
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant

    init(start: ContinuousClock.Instant) {
        self.start = start
        lastShown = start
    }

    var rejected: Int { rejections.values.reduce(0, +) }

    private var done: Int { published + unchanged + planned + rejected }

    mutating func add(_ outcome: PictureOutcome) {
        bytesIn += outcome.manifest.source.bytes ?? 0
        switch outcome {
        case .published(let manifest, _):
            published += 1
            bytesOut += manifest.outputs.reduce(0) { $0 + ($1.bytes ?? 0) }
        case .unchanged: unchanged += 1
        case .planned: planned += 1
        case .rejected(let manifest):
            if let code = manifest.rejection?.code { rejections[code, default: 0] += 1 }
        }
    }

    /// The line to show now, or nil when the last one is younger than a tenth of a second.
    mutating func progress(at now: ContinuousClock.Instant) -> String? {
        guard lastShown.duration(to: now) >= .milliseconds(100) else { return nil }
        lastShown = now
        let seconds = start.duration(to: now) / .seconds(1)
        let left = Int(seconds / Double(done) * Double(total - done))
        let refused = rejected > 0 ? "  \(rejected) rejected" : ""
        return "\(done)/\(total)  \(tenths(Double(done) / seconds))/s\(refused)  \(minutes(left)) left"
    }

    /// What the batch came to, a fact a line.
    func table(at now: ContinuousClock.Instant) -> String {
        let seconds = start.duration(to: now) / .seconds(1)
        var rows: [(String, String)] = []
        if planned > 0 { rows.append(("planned", "\(planned)")) }
        if planned == 0 || published > 0 { rows.append(("published", "\(published)")) }
        if unchanged > 0 { rows.append(("unchanged", "\(unchanged)")) }
        if provedBest > 0 { rows.append(("proved best", "\(provedBest)")) }
        if notTheBest > 0 { rows.append(("not the best", "\(notTheBest)")) }
        rows.append(("rejected", "\(rejected)"))
        for (code, count) in rejections.sorted(by: { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }) {
            rows.append(("  " + code.rawValue, "\(count)"))
        }
        for (name, count) in [
            ("decoder crashes", workers.crashes), ("decoder timeouts", workers.timeouts),
            ("false answers", workers.lies),
        ] where count > 0 {
            rows.append((name, "\(count)"))
        }
        if !missingLayers.isEmpty {
            rows.append(("not in sandbox", Set(missingLayers.map(\.layer.rawValue)).sorted().joined(separator: " ")))
        }
        if done < total { rows.append(("not begun", "\(total - done)")) }
        rows.append(("bytes in", "\(bytesIn)"))
        rows.append(("bytes out", "\(bytesOut)"))
        rows.append(("seconds", tenths(seconds)))
        let label = rows.map(\.0.count).max() ?? 0
        let value = rows.map(\.1.count).max() ?? 0
        return rows.map { name, figure in
            name + String(repeating: " ", count: label - name.count + 2 + value - figure.count) + figure + "\n"
        }.joined()
    }

    private func tenths(_ value: Double) -> String {
        let tenths = Int(value * 10 + 0.5)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func minutes(_ seconds: Int) -> String {
        "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }
}
