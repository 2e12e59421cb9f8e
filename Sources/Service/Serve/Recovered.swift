internal import Spool
internal import Synchronization

/// Claims that lie in `work` and that nobody has in hand, each taken once: those of an earlier service, the oldest
/// first, then those that could not be put back.
final class Recovered: Sendable {
    struct Entry: Sendable {
        let claim: ClaimEntry
        /// It was to go back to the inbox already, and could not: it is decided as it is.
        let isReturned: Bool
    }

    private let entries: Mutex<[Entry]>

    init(_ claims: [ClaimEntry]) {
        entries = Mutex(claims.reversed().map { Entry(claim: $0, isReturned: false) })
    }

    /// What could not be put back: to be resumed last.
    func add(_ claims: [ClaimEntry]) {
        if claims.isEmpty { return }
        entries.withLock { $0.insert(contentsOf: claims.reversed().map { Entry(claim: $0, isReturned: true) }, at: 0) }
    }

    func next() -> Entry? { entries.withLock { $0.popLast() } }
}
