internal import Kernel

/// One thing that was handed in, found but not opened.
struct SourceFile: Sendable {
    /// The directory that `path` is looked up in, as the caller wrote it. A path and not a descriptor: a list may name
    /// files in more directories than a process may hold open.
    let root: FilePath
    /// Relative to the root.
    let path: FilePath
    /// As the caller wrote it, with what was found below it.
    let givenPath: FilePath
    /// Where its results go, relative to the output; empty for the output itself.
    let target: FilePath
    /// What it is; only a regular file is ever opened.
    let kind: FileKind
    /// Why it could not be looked at, if it could not.
    let problem: Errno?

    var name: FilePath { path.lastComponent }

    /// Opens it for reading, as long as no link is on the way.
    func open() throws(Errno) -> FileDescriptor {
        let root = try FileDescriptor.open(root, flags: .directory)
        return try FileDescriptor.openBeneath(path, relativeTo: root)
    }
}
