/// Files that appear under their name whole or not at all.
public enum PublishedFile {
    /// Writes `bytes` to `temporaryName`, then renameat(2) to `name`, which it replaces.
    ///
    /// Both names are entries of `directory` (EINVAL for a path). At no moment, whatever signal comes, does `name` stand
    /// for a part of the bytes. After an error `name` is what it was and the temporary file is gone; one that a killed
    /// process left behind is removed before. With `sync` the bytes are on disk before the rename; the rename itself
    /// is when the caller has called `sync()` on the directory. The mode is 0644, less the umask.
    public static func write(
        _ bytes: Span<UInt8>, named name: FilePath, in directory: borrowing FileDescriptor,
        temporaryName: FilePath, sync: Bool
    ) throws(Errno) {
        guard name.isEntryName, temporaryName.isEntryName else { throw .invalidArgument }
        do throws(Errno) {
            try FileDescriptor.unlink(temporaryName, relativeTo: directory)
        } catch .noSuchFileOrDirectory {}
        let file = try FileDescriptor.open(
            temporaryName, flags: [.writeOnly, .create, .exclusive, .noFollow], mode: 0o644, relativeTo: directory)
        do throws(Errno) {
            try file.writeAll(bytes)
            if sync { try file.sync() }
            // Some network file systems tell only now that the disk is full.
            try file.close()
            try FileDescriptor.rename(temporaryName, to: name, in: directory)
        } catch {
            // The first error is the one to tell.
            try? FileDescriptor.unlink(temporaryName, relativeTo: directory)
            throw error
        }
    }
}
