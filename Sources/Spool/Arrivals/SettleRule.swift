import Kernel

/// How a name came to be known.
enum Appearance: Sendable {
    /// Renamed in: whole, as far as its producer is concerned.
    case renamed
    /// Closed by somebody who could write: perhaps for the last time.
    case closed
    /// Made or linked in, and not closed since.
    case created
    /// Seen while the inbox was looked through.
    case found
    /// In work before, and brought back by ourselves.
    case putBack

    /// What the name counts as after another sign of it.
    func followed(by later: Appearance) -> Appearance {
        switch (self, later) {
        // Looking at it again says nothing new.
        case (_, .found): self
        // The rename is our own.
        case (.putBack, .renamed), (.putBack, .created): .putBack
        default: later
        }
    }
}

/// How long a file has to have been quiet.
struct SettleRule: Sendable {
    let settle: Duration

    /// Time between looks at something that cannot be decided yet, and at least between taking a name again.
    static let pause = Duration.seconds(1)
    /// For a file that nobody was seen to close, where a lease says nothing of its writers.
    static let unseenWriter = Duration.seconds(2)
    /// For a file that was seen to be made but not to be closed, where a lease says nothing either.
    static let unclosed = Duration.seconds(30)
    /// At least, for a directory that was not renamed in: nobody closes it, and the next file may be to come.
    static let directory = Duration.seconds(2)

    /// Time from the first look to the one that decides.
    func wait(for how: Appearance, kind: FileKind) -> Duration {
        switch (how, kind) {
        case (.renamed, _): .zero
        case (_, .regular): settle
        // Time counts from the first look at what is in it, so that this is at once. Anything else is never read, so
        // nothing about it has to settle.
        default: .zero
        }
    }

    /// The time without change after which a file, or a directory with what is in it, counts as whole; nil while
    /// somebody can write to it.
    ///
    /// - Parameter isUnfinished: whether more is to come into the directory, by all that is known.
    func quiet(
        of how: Appearance, kind: FileKind, writers: ReadLease.Writers, isUnfinished: Bool = false
    ) -> Duration? {
        var least = wait(for: how, kind: kind)
        guard kind == .regular || kind == .directory else { return least }
        if kind == .directory, how != .renamed { least = max(settle, isUnfinished ? Self.unclosed : Self.directory) }
        switch (writers, how) {
        case (.some, _): return nil
        case (.unknown, .created): return max(least, Self.unclosed)
        case (.unknown, .found), (.unknown, .putBack): return max(least, Self.unseenWriter)
        case (.none, _), (.unknown, _): return least
        }
    }
}
