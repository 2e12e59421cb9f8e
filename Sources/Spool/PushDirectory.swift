public import Kernel

/// The directory of a push, as far as where files lie is concerned.
public enum PushDirectory {
    /// Most entries of whatever kind: a directory with more is no push, and is not read to its end.
    public static let mostEntries = 256

    /// Names that systems put into directories by themselves, as shell patterns: never an attachment.
    public static let litter = NamePatterns([".DS_Store", "._*", "Thumbs.db", "desktop.ini"])
}
