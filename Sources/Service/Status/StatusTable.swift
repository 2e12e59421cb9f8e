internal import Kernel

extension ServiceStatus {
    /// The status for a person: a fact a line, then the claims, then the faults.
    public var table: String {
        let rows = self.rows
        let label = rows.map(\.0.count).max() ?? 0
        let value = rows.map(\.1.count).max() ?? 0
        let facts = rows.map { name, figure in
            name + String(repeating: " ", count: label - name.count + 2 + value - figure.count) + figure + "\n"
        }
        let claims = work.claims.map { claim in
            let attempts = claim.attempts.map { "attempt \($0)" } ?? "crashed"
            return "in work: \(FilePath(claim.name ?? claim.id)) (\(attempts))\n"
        }
        return (facts + claims + faults.map { "fault: \(FilePath($0))\n" }).joined()
    }

    private var rows: [(String, String)] {
        var rows = [("service", isRunning ? "running" : "not running")]
        if let pid { rows.append(("pid", "\(pid)")) }
        if let state, state.pid == pid {
            rows.append(("since", FilePath(state.startedAt).description))
            rows.append(("watch", state.watch.rawValue))
        }
        rows.append(("waiting", "\(inbox.waiting)"))
        if inbox.ignored > 0 { rows.append(("  ignored", "\(inbox.ignored)")) }
        if let oldest = inbox.oldestSeconds { rows.append(("  oldest", "\(oldest) s")) }
        rows.append(("in work", "\(work.count)"))
        rows.append(("published today", "\(today.published)"))
        if today.reused > 0 { rows.append(("  reused", "\(today.reused)")) }
        rows.append(
            ("rejected today", "\(today.rejected.values.reduce(0) { $0.addingReportingOverflow($1).partialValue })"))
        for (code, count) in today.rejected.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            rows.append(("  " + FilePath(code).description, "\(count)"))
        }
        rows.append(("rejected kept", "\(rejected.count)"))
        if let oldest = rejected.oldestSeconds { rows.append(("  oldest", "\(oldest) s")) }
        rows.append(("notify pending", "\(notifyPending)"))
        if let state, state.pid == pid { rows += Self.troubles(of: state) }
        return rows
    }

    private static func troubles(of state: ServiceState) -> [(String, String)] {
        var rows = [
            ("notify failed", state.notify.failed), ("decoder crashes", state.workers.crashes),
            ("decoder timeouts", state.workers.timeouts), ("false answers", state.workers.lies),
        ].filter { $0.1 != 0 }.map { ($0.0, "\($0.1)") }
        if !state.missingLayers.isEmpty {
            rows.append(("not in sandbox", FilePath(state.missingLayers.joined(separator: " ")).description))
        }
        return rows
    }
}
