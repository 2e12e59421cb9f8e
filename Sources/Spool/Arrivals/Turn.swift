import Kernel

/// An entry's place in a queue; stale when the entry has another generation.
struct Turn: Sendable {
    var name: FilePath
    var generation: UInt64
}

/// A turn that comes at a certain time.
struct Dated: Sendable {
    var due: MonotonicInstant
    var turn: Turn

    /// Those due at once in the order in which they came.
    func precedes(_ other: Dated) -> Bool {
        due == other.due ? turn.generation < other.turn.generation : due < other.due
    }
}

/// A turn that comes by age; its name is in the age.
struct Aged: Sendable {
    var age: Age
    var generation: UInt64
}

/// The oldest content first, in byte order of the names where that is equal.
struct Age: Comparable, Sendable {
    var modified: Int64
    var name: FilePath

    static func < (left: Age, right: Age) -> Bool {
        left.modified == right.modified ? left.name < right.name : left.modified < right.modified
    }
}
