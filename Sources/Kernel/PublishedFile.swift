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
        guard name.isEntryName else { throw .invalidArgument }
        try prepare(bytes, temporaryName: temporaryName, in: directory, sync: sync)
        try place(temporaryName, in: directory, as: name, in: directory)
    }

    /// The first half of `write`: the bytes under their temporary name, which is an entry of `directory`.
    ///
    /// After an error there is no such name. Of use where something has to happen before the file appears, or where it
    /// is written in one directory and appears in another.
    public static func prepare(
        _ bytes: Span<UInt8>, temporaryName: FilePath, in directory: borrowing FileDescriptor, sync: Bool
    ) throws(Errno) {
        guard temporaryName.isEntryName else { throw .invalidArgument }
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
        } catch {
            // The first error is the one to tell.
            try? FileDescriptor.unlink(temporaryName, relativeTo: directory)
            throw error
        }
    }

    /// The second half of `write`: the file appears under `name`, in another directory of the same mount perhaps.
    ///
    /// After an error the temporary file is gone.
    public static func place(
        _ temporaryName: FilePath, in temporaryDirectory: borrowing FileDescriptor,
        as name: FilePath, in directory: borrowing FileDescriptor
    ) throws(Errno) {
        do throws(Errno) {
            guard name.isEntryName else { throw .invalidArgument }
            try FileDescriptor.rename(
                temporaryName, in: temporaryDirectory, to: name, in: directory, ifTaken: .replace)
        } catch {
            try? FileDescriptor.unlink(temporaryName, relativeTo: temporaryDirectory)
            throw error
        }
    }
}
