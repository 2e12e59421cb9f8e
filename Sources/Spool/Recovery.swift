public import Kernel

/// What a start found.
public struct Recovery: Sendable {
    /// Claims that a run before this one did not settle, the oldest first.
    public internal(set) var claims: [ClaimEntry] = []
    /// Paths that are nothing of ours, or cannot be put right: they are left alone.
    public internal(set) var strangers: [FilePath] = []
    /// Files and directories that were removed: parts of files, and claims that had ended.
    public internal(set) var removed = 0
}

extension Spool {
    /// Puts in order what a run before this one left, before the first claim of this one.
    ///
    /// Parts of files are removed, and so are the directories of claims that had ended. Whatever is not known is left
    /// alone and told. Claims are for the caller to resume.
    public func recover() throws(SpoolFailure) -> Recovery {
        var recovery = Recovery()
        try sweepTemporaries(&recovery)
        try sortWork(&recovery)
        let ids = Set(recovery.claims.map(\.id))
        try removeNotices(of: ids, &recovery)
        for directory in [places.inbox, places.done, places.rejected] {
            try removeParts(of: ids, in: directory, &recovery)
        }
        return recovery
    }

    /// Takes up a claim that was found: one attempt more. The calling thread has it in hand.
    ///
    /// A crashed one counts as having had two attempts, so that it is still known if this one is cut short. Nil when it
    /// went away, and when its directory cannot be renamed for a reason of its own, such as another owner in a sticky
    /// `work`: then it waits there for the next start.
    public func resume(_ entry: ClaimEntry) throws(SpoolFailure) -> Claim? {
        let work = try open(places.work)
        var attempts = entry.hasCrashed ? 3 : min(entry.attempts + 1, ClaimDirectory.mostAttempts)
        // A stranger of the same id may have the next number.
        while attempts < ClaimDirectory.mostAttempts,
            entry.state != .attempt(attempts), isOccupied(entry.directory.with(.attempt(attempts)), work: work)
        {
            attempts += 1
        }
        let raised = ClaimEntry(id: entry.id, name: entry.name, kind: entry.kind, state: .attempt(attempts))
        let mark = try Claim.mark(for: raised.directory, in: places.work)
        guard let found = try raise(entry, to: raised, work: work) else { return nil }
        return Claim(found, work: places.work, mark: mark)
    }

    private func isOccupied(_ directory: ClaimDirectory, work: borrowing FileDescriptor) -> Bool {
        (try? FileDescriptor.status(of: directory.name, relativeTo: work)) != nil
    }

    private func raise(
        _ entry: ClaimEntry, to raised: ClaimEntry, work: borrowing FileDescriptor
    ) throws(SpoolFailure) -> ClaimEntry? {
        do throws(SpoolFailure) {
            do throws(Errno) {
                if raised.directory != entry.directory {
                    do throws(Errno) {
                        try FileDescriptor.rename(
                            entry.directory.name, in: work, to: raised.directory.name, in: work, ifTaken: .replace)
                    } catch {
                        guard error.isOfEntry(mayChange: work.mayChangeEntries) else { throw error }
                        return nil
                    }
                    try sync(work)
                }
                let path = raised.directory.name.appending(entry.name)
                let status = try FileDescriptor.status(of: path, relativeTo: work)
                let found = ClaimEntry(id: raised.id, name: raised.name, kind: status.kind, state: raised.state)
                // What changes while it is copied is left to whoever reads it, who takes a snapshot.
                do throws(SpoolFailure) { _ = try makePrivate(found, status: status, work: work) } catch {
                    throw error.error
                }
                return found
            } catch .noSuchFileOrDirectory {
                try? FileDescriptor.removeDirectory(raised.directory.name, relativeTo: work)
                return nil
            } catch {
                throw SpoolFailure(places.work.appending(entry.directory.name), error)
            }
        } catch {
            // The same entry can be resumed again later.
            try? rename(raised.directory, to: entry.directory, work: work)
            throw error
        }
    }

    private func sweepTemporaries(_ recovery: inout Recovery) throws(SpoolFailure) {
        let path = places.outbox.appending(OutboxPart.temporary.name)
        let directory = try open(path)
        for entry in try list(path) {
            try remove(entry.name, entry.kind, in: directory, path: path, &recovery)
        }
    }

    private func sortWork(_ recovery: inout Recovery) throws(SpoolFailure) {
        let work = try open(places.work)
        var seen: Set<ClaimID> = []
        for entry in try list(places.work) {
            let path = places.work.appending(entry.name)
            guard entry.kind == .directory, let directory = ClaimDirectory(entry.name) else {
                recovery.strangers.append(path)
                continue
            }
            let contents: [DirectoryListing.Entry]
            do throws(SpoolFailure) {
                contents = try list(path)
            } catch {
                if error.error != .permissionDenied { throw error }
                recovery.strangers.append(path)
                continue
            }
            if directory.state == .copying, !contents.isEmpty {
                let own = try open(path)
                for part in contents {
                    if part.kind == .directory { try empty(part.name, in: own, path: path, &recovery) }
                    try remove(part.name, part.kind, in: own, path: path, &recovery)
                }
            }
            if directory.state == .copying || contents.isEmpty {
                try remove(entry.name, entry.kind, in: work, path: places.work, &recovery)
            } else if contents.count == 1, seen.insert(directory.id).inserted {
                recovery.claims.append(
                    ClaimEntry(
                        id: directory.id, name: contents[0].name, kind: contents[0].kind, state: directory.state))
            } else {
                recovery.strangers.append(path)
            }
        }
        recovery.claims.sort { $0.id < $1.id }
        do throws(Errno) { try sync(work) } catch { throw SpoolFailure(places.work, error) }
    }

    /// Removes the files of a directory that was being removed.
    private func empty(
        _ name: FilePath, in directory: borrowing FileDescriptor, path: FilePath, _ recovery: inout Recovery
    ) throws(SpoolFailure) {
        guard let folder = try? FileDescriptor.openBeneath(name, relativeTo: directory, flags: .directory),
            let entries = try? DirectoryListing(of: folder).entries
        else { return }
        for entry in entries where entry.kind != .directory {
            try remove(entry.name, entry.kind, in: folder, path: path.appending(name), &recovery)
        }
    }

    /// The replay of a claim makes its notice anew.
    private func removeNotices(of ids: Set<ClaimID>, _ recovery: inout Recovery) throws(SpoolFailure) {
        let directory = try open(noticesPath)
        for entry in try list(noticesPath) {
            guard entry.kind == .regular, let id = ClaimID(entry.name) else {
                recovery.strangers.append(noticesPath.appending(entry.name))
                continue
            }
            if ids.contains(id) { try remove(entry.name, entry.kind, in: directory, path: noticesPath, &recovery) }
        }
        do throws(Errno) { try sync(directory) } catch { throw SpoolFailure(noticesPath, error) }
    }

    /// Removes copies of claims' files that were not finished. Only while the claim itself is there: whatever else is
    /// called so is not ours.
    private func removeParts(
        of ids: Set<ClaimID>, in path: FilePath, _ recovery: inout Recovery
    ) throws(SpoolFailure) {
        let directory = try open(path)
        for id in ids {
            let name = temporaryName(for: id)
            guard let status = try? FileDescriptor.status(of: name, relativeTo: directory), status.kind == .regular
            else { continue }
            try remove(name, .regular, in: directory, path: path, &recovery)
        }
    }

    /// Removes a file or an empty directory; what cannot be removed for a reason of its own is a stranger.
    private func remove(
        _ name: FilePath, _ kind: FileKind, in directory: borrowing FileDescriptor, path: FilePath,
        _ recovery: inout Recovery
    ) throws(SpoolFailure) {
        do throws(Errno) {
            if kind == .directory {
                try FileDescriptor.removeDirectory(name, relativeTo: directory)
            } else {
                try FileDescriptor.unlink(name, relativeTo: directory)
            }
            recovery.removed += 1
        } catch .noSuchFileOrDirectory {
            return
        } catch {
            let isItsOwn = [.directoryNotEmpty, .notPermitted, .permissionDenied, .isDirectory, .resourceBusy]
                .contains(error)
            guard isItsOwn else { throw SpoolFailure(path.appending(name), error) }
            recovery.strangers.append(path.appending(name))
        }
    }
}
