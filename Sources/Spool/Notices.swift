public import Kernel

/// Outcomes that nobody has been told of yet.
extension Spool {
    /// Those that were published first, up to `limit`.
    public func notices(atMost limit: Int) throws(SpoolFailure) -> [ClaimID] {
        // Byte order of the names is the order of time.
        Array(try list(noticesPath).lazy.compactMap { ClaimID($0.name) }.prefix(limit))
    }

    /// Opens the manifest of an outcome for reading; nil when it does not wait any more.
    public func open(notice id: ClaimID) throws(SpoolFailure) -> FileDescriptor? {
        let directory = try open(noticesPath)
        do throws(Errno) {
            let file = try FileDescriptor.openBeneath(id.name, relativeTo: directory)
            guard try file.status().kind == .regular else { return nil }
            return file
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw SpoolFailure(noticesPath.appending(id.name), error)
        }
    }

    /// Takes an outcome off the list, durably; nothing when it is not on it.
    public func removeNotice(_ id: ClaimID) throws(SpoolFailure) {
        let directory = try open(noticesPath)
        do throws(Errno) {
            do throws(Errno) {
                try FileDescriptor.unlink(id.name, relativeTo: directory)
            } catch .noSuchFileOrDirectory {
                return
            }
            try sync(directory)
        } catch {
            throw SpoolFailure(noticesPath.appending(id.name), error)
        }
    }

    var noticesPath: FilePath { places.outbox.appending(OutboxPart.notices.name) }
}
