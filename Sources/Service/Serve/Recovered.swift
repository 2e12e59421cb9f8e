internal import Kernel
internal import Spool
internal import Synchronization

/// Claims that lie in `work` and that nobody has in hand: those of an earlier service, the oldest first, then those that
/// could not be put back.
///
/// Of one name only one is out at a time, so that the outcome that stands in the end is that of the youngest.
final class Recovered: Sendable {
    struct Entry: Sendable {
        let claim: ClaimEntry
        /// It was to go back to the inbox already, and could not: it is decided as it is.
        let isReturned: Bool
    }

    private struct Shared {
        var waiting: [Entry]
        /// The names of those that are out.
        var out: Set<FilePath> = []

        var next: Int? { waiting.firstIndex { !out.contains($0.claim.name) } }
    }

    /// Set while there is something to take.
    let available: EventFlag
    private let shared: Mutex<Shared>

    init(_ claims: [ClaimEntry]) throws(Errno) {
        available = try EventFlag()
        shared = Mutex(Shared(waiting: claims.map { Entry(claim: $0, isReturned: false) }))
        if !claims.isEmpty { available.set() }
    }

    /// What could not be put back: to be resumed last.
    func add(_ claims: [ClaimEntry]) {
        if claims.isEmpty { return }
        shared.withLock { shared in
            shared.waiting += claims.map { Entry(claim: $0, isReturned: true) }
            available.set()
        }
    }

    /// Takes one; its name is out until `finish`.
    func take() -> Entry? {
        shared.withLock { shared in
            guard let index = shared.next else {
                available.reset()
                return nil
            }
            let entry = shared.waiting.remove(at: index)
            shared.out.insert(entry.claim.name)
            return entry
        }
    }

    /// A claim of this name is finished, whether it came from here or not.
    ///
    /// - Returns: whether another claim of that name waits here.
    func finish(_ name: FilePath) -> Bool {
        shared.withLock { shared in
            shared.out.remove(name)
            guard shared.waiting.contains(where: { $0.claim.name == name }) else { return false }
            available.set()
            return true
        }
    }
}
