import Kernel

/// Candidates that could not be moved, and until when they are not offered.
struct Refusals: Sendable {
    static let time = Duration.seconds(60)
    /// One takes a few bytes whatever its name; beyond this many, some are offered too early.
    static let most = 1 << 16

    /// By a hash of what makes the candidate: two that collide share a minute.
    private var ends: [Int: MonotonicInstant] = [:]

    func contain(_ candidate: Candidate, at now: MonotonicInstant) -> Bool {
        if ends.isEmpty { return false }
        guard let end = ends[key(candidate)] else { return false }
        return now < end
    }

    mutating func add(_ candidate: Candidate, at now: MonotonicInstant) {
        if ends.count >= Self.most { ends = ends.filter { now < $0.value } }
        if ends.count >= Self.most { return }
        ends[key(candidate)] = now.advanced(by: Self.time)
    }

    private func key(_ candidate: Candidate) -> Int {
        var hasher = Hasher()
        hasher.combine(candidate.name)
        hasher.combine(candidate.status.inode)
        hasher.combine(candidate.status.device)
        hasher.combine(candidate.status.changed)
        return hasher.finalize()
    }
}
