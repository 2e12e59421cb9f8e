import Kernel

/// Copies of a file, for where a rename cannot help.
enum PrivateCopy {
    /// Why there is no copy.
    enum Failure: Error {
        /// The source is no regular file, or was changed while it was read, or is another file than was expected.
        case changed
        /// The source cannot be read.
        case unreadable(Errno)
        /// The copy cannot be written.
        case unwritable(Errno)

        /// EBUSY for a source that was changed.
        var error: Errno {
            switch self {
            case .changed: .resourceBusy
            case .unreadable(let error), .unwritable(let error): error
            }
        }
    }

    /// Copies a regular file with its mode and time of change; the copy is on the disk when this returns, but for its
    /// name.
    ///
    /// - Parameter expected: what the source has to be; nil for whatever it is.
    /// - Returns: what the source is.
    @discardableResult
    static func make(
        of name: FilePath, in directory: borrowing FileDescriptor, expecting expected: FileStatus?,
        as copyName: FilePath, in copyDirectory: borrowing FileDescriptor, syncs: Bool
    ) throws(Failure) -> FileStatus {
        let source = try openSource(name, in: directory)
        let before = try status(of: source)
        guard before.kind == .regular, expected.map({ before.isUnchanged(since: $0) }) ?? true else { throw .changed }
        let copy = try openCopy(copyName, in: copyDirectory)
        do throws(Failure) {
            // Which of the two an error is of does not show: what can be read was opened, so it is the copy's mostly.
            do throws(Errno) {
                try source.copyContent(to: copy, size: before.size)
                try copy.copyAttributes(of: before)
                if syncs { try copy.sync() }
                try copy.close()
            } catch {
                throw .unwritable(error)
            }
            let after = try status(of: source)
            // The links of a file may come and go, and that changes its `changed`, but not what was copied.
            guard after.isUnchanged(since: before) else { throw .changed }
        } catch {
            try? FileDescriptor.unlink(copyName, relativeTo: copyDirectory)
            throw error
        }
        return before
    }

    private static func openSource(
        _ name: FilePath, in directory: borrowing FileDescriptor
    ) throws(Failure) -> FileDescriptor {
        do throws(Errno) {
            return try FileDescriptor.openBeneath(name, relativeTo: directory)
        } catch {
            throw .unreadable(error)
        }
    }

    private static func status(of source: borrowing FileDescriptor) throws(Failure) -> FileStatus {
        do throws(Errno) { return try source.status() } catch { throw .unreadable(error) }
    }

    private static func openCopy(
        _ name: FilePath, in directory: borrowing FileDescriptor
    ) throws(Failure) -> FileDescriptor {
        do throws(Errno) {
            do throws(Errno) {
                // What an attempt before this one left.
                try FileDescriptor.unlink(name, relativeTo: directory)
            } catch .noSuchFileOrDirectory {}
            return try FileDescriptor.open(
                name, flags: [.writeOnly, .create, .exclusive, .noFollow], mode: 0o600, relativeTo: directory)
        } catch {
            throw .unwritable(error)
        }
    }
}

extension FileStatus {
    /// True for the same file with the same content, as far as a status tells. `changed` is left out: a rename changes
    /// it on some file systems.
    func isUnchanged(since earlier: FileStatus) -> Bool {
        isSameFile(as: earlier) && kind == earlier.kind && size == earlier.size && modified == earlier.modified
    }
}
