public import Kernel

/// How a claim ends.
public enum ClaimEnd: Sendable {
    /// The outcome is published: the original goes to `done`. The digest is the SHA-256 of its bytes, in hexadecimal;
    /// nil where they were not read.
    case done(digest: String?)
    /// The outcome is published and the original is not wanted: it is removed. A directory with another one in it, or
    /// with more entries than a push has, goes to `done`.
    case deleted
    /// Refused: the original goes to `rejected` with its manifest. The digest is as for `done`.
    case rejected(manifest: [UInt8], digest: String?)
    /// Nothing came of this attempt, which does not count: the file goes back to the inbox.
    case putBack
    /// Nothing came of this attempt, which does not count: the claim stays in `work` for the next start.
    case left
}

/// Where a claim's file is in the end.
public enum SettledPlace: Equatable, Sendable {
    /// In `done`, under this name.
    case done(FilePath)
    /// In `rejected`, under this name.
    case rejected(FilePath)
    case deleted
    case inbox
    /// In `work`: it was left there, or could not be put back and is among `Spool.takeStranded` now.
    case work(ClaimEntry)
    /// In `work`, because it cannot be moved to where it belongs, for a reason of its own: EACCES for a directory that
    /// may not be written to, EXDEV for what only a rename moves, EFBIG for a file too long to be copied, or whatever
    /// reading it fails with. A manifest may be in `rejected` already. The next start tries again, once.
    case immovable(ClaimEntry, Errno)
    /// Somebody took it out of `work`.
    case vanished
}

/// What came of an attempt to settle a claim.
public enum Settlement: ~Copyable, Sendable {
    case settled(SettledPlace)
    /// Not yet: the same can be tried again later. Steps that are done already are not done twice.
    case held(Claim, SpoolFailure)
}
