import Kernel

/// Copies of a file, for where a rename cannot help.
enum PrivateCopy {
    /// Why there is no copy.
    enum Failure: Error, Equatable {
        /// The source is no regular file, or was changed while it was read, or is another file than was expected, or
        /// is kept by somebody's write lease just now, which the kernel ends in a while.
        case changed
        /// For a reason of the source's own: it cannot be read, is too long, or cannot have its name where the copy is
        /// to be.
        case uncopyable(Errno)
        /// A fault of the disk or of the system, whatever the source is.
        case fault(Errno)

        /// EBUSY for a source that was changed.
        var error: Errno {
            switch self {
            case .changed: .resourceBusy
            case .uncopyable(let error), .fault(let error): error
            }
        }

        /// What an error at the source says.
        fileprivate static func atSource(_ error: Errno) -> Failure {
            if error == .wouldBlock { return .changed }
            return error.isShortage ? .fault(error) : .uncopyable(error)
        }
    }

    /// Copies a regular file with its mode and time of change; the copy is on the disk when this returns, but for its
    /// name.
    ///
    /// - Parameters:
    ///   - expected: what the source has to be; nil for whatever it is.
    ///   - limit: in bytes; what is longer is `uncopyable` with EFBIG.
    static func make(
        of name: FilePath, in directory: borrowing FileDescriptor, expecting expected: FileStatus?,
        as copyName: FilePath, in copyDirectory: borrowing FileDescriptor, atMost limit: Int, syncs: Bool
    ) throws(Failure) {
        let source = try openSource(name, in: directory)
        let before = try status(of: source)
        guard before.kind == .regular, expected.map({ before.isUnchanged(since: $0) }) ?? true else { throw .changed }
        guard before.size <= limit else { throw .uncopyable(.fileTooLarge) }
        let copy = try openCopy(copyName, in: copyDirectory)
        do throws(Failure) {
            do throws(CopyFailure) {
                try source.copyContent(to: copy, size: before.size)
            } catch {
                switch error {
                case .source(let error): throw .atSource(error)
                case .target(let error): throw .fault(error)
                }
            }
            do throws(Errno) {
                try copy.copyAttributes(of: before)
                if syncs { try copy.sync() }
                try copy.close()
            } catch {
                throw .fault(error)
            }
            let after = try status(of: source)
            // The links of a file may come and go, and that changes its `changed`, but not what was copied.
            guard after.isUnchanged(since: before) else { throw .changed }
        } catch {
            try? FileDescriptor.unlink(copyName, relativeTo: copyDirectory)
            throw error
        }
    }

    private static func openSource(
        _ name: FilePath, in directory: borrowing FileDescriptor
    ) throws(Failure) -> FileDescriptor {
        do throws(Errno) {
            return try FileDescriptor.openBeneath(name, relativeTo: directory)
        } catch {
            throw .atSource(error)
        }
    }

    private static func status(of source: borrowing FileDescriptor) throws(Failure) -> FileStatus {
        do throws(Errno) { return try source.status() } catch { throw .atSource(error) }
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
            throw error.isOfName ? .uncopyable(error) : .fault(error)
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
