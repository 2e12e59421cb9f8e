public import Kernel

/// Outcomes that nobody has been told of yet.
extension Spool {
    /// Those that were published first, up to `limit`. Memory does not grow with how many there are.
    public func notices(atMost limit: Int) throws(SpoolFailure) -> [ClaimID] {
        let directory = try openNotices()
        var oldest = OldestClaims(limit: limit)
        do throws(Errno) {
            var stream = try DirectoryStream(of: directory)
            while let entry = try stream.next() {
                // Whatever else has such a name is none of ours.
                if entry.kind == .regular, let id = ClaimID(entry.name) { oldest.add(id) }
            }
        } catch {
            throw SpoolFailure(noticesPath, error)
        }
        return oldest.ids
    }

    /// Opens the manifest of an outcome for reading; nil when it does not wait any more.
    public func open(notice id: ClaimID) throws(SpoolFailure) -> FileDescriptor? {
        let directory = try openNotices()
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

    /// Takes an outcome off the list, durably, even where an attempt before this one removed it without knowing that.
    public func removeNotice(_ id: ClaimID) throws(SpoolFailure) {
        let directory = try openNotices()
        do throws(Errno) {
            do throws(Errno) {
                try FileDescriptor.unlink(id.name, relativeTo: directory)
            } catch {
                // A file system that is read-only says so before it looks.
                guard try isGone(id, directory) else { throw error }
            }
            try sync(directory)
        } catch {
            throw SpoolFailure(noticesPath.appending(id.name), error)
        }
    }

    private func isGone(_ id: ClaimID, _ directory: borrowing FileDescriptor) throws(Errno) -> Bool {
        do throws(Errno) {
            _ = try FileDescriptor.status(of: id.name, relativeTo: directory)
            return false
        } catch .noSuchFileOrDirectory {
            return true
        }
    }

    private func openNotices() throws(SpoolFailure) -> FileDescriptor {
        try openOutbox(open(places.outbox), OutboxPart.notices.name)
    }

    var noticesPath: FilePath { places.outbox.appending(OutboxPart.notices.name) }
}

/// The smallest of any number of ids, in memory for twice as many as are kept.
private struct OldestClaims {
    let limit: Int
    private var kept: [ClaimID] = []

    init(limit: Int) {
        self.limit = limit
    }

    var ids: [ClaimID] { Array(kept.sorted().prefix(limit)) }

    mutating func add(_ id: ClaimID) {
        kept.append(id)
        if kept.count >= 2 * max(limit, 1) { kept = ids }
    }
}
