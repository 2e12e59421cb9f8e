import Kernel
import Synchronization

/// What is done to the directories of claims, and to what was claimed in each.
extension Spool {
    /// A new claim's directory, which is nobody else's.
    func makeDirectory(
        in work: borrowing FileDescriptor, state: ClaimState
    ) throws(SpoolFailure) -> ClaimDirectory {
        while true {
            let directory = ClaimDirectory(id: ids.next(), state: state)
            do throws(Errno) {
                try FileDescriptor.makeDirectory(directory.name, mode: 0o700, relativeTo: work)
                return directory
            } catch .fileExists {
                continue
            } catch {
                // Not its own path: with an id in it, each attempt would tell of another fault.
                throw SpoolFailure(places.work, error)
            }
        }
    }

    func rename(
        _ directory: ClaimDirectory, to other: ClaimDirectory, work: borrowing FileDescriptor
    ) throws(SpoolFailure) {
        do throws(Errno) {
            try FileDescriptor.rename(directory.name, in: work, to: other.name, in: work, ifTaken: .replace)
        } catch {
            throw SpoolFailure(places.work, error)
        }
    }

    /// Removes a copy with its directory; what stays is for the next start.
    func discard(_ directory: ClaimDirectory, holding name: FilePath, work: borrowing FileDescriptor) {
        try? FileDescriptor.unlink(directory.name.appending(name), relativeTo: work)
        try? FileDescriptor.removeDirectory(directory.name, relativeTo: work)
    }

    /// Puts a copy in the place of each file of a claim that has other names, which somebody else may write to.
    ///
    /// A file that is longer than any that is copied, or that cannot be read, stays what it is: it will be refused, and
    /// in `rejected` it still has its other names. Nobody reads that one again.
    ///
    /// - Returns: false when it was changed meanwhile.
    func makePrivate(
        _ entry: ClaimEntry, status: FileStatus, work: borrowing FileDescriptor
    ) throws(SpoolFailure) -> Bool {
        switch status.kind {
        case .regular:
            let file = ClaimFile(directory: entry.directory, folder: entry.directory.name, name: entry.name)
            return try makePrivate(file, status: status, work: work)
        case .directory:
            let files: [ClaimFile]
            do throws(Errno) {
                files = try self.files(name: entry.name, kind: .directory, in: entry.directory, work: work)
            } catch {
                if error.isShortage { throw SpoolFailure(places.work, error) }
                // One that cannot be read will be refused.
                return true
            }
            for file in files {
                guard let status = try? FileDescriptor.status(of: file.path, relativeTo: work) else { continue }
                guard try makePrivate(file, status: status, work: work) else { return false }
            }
            return true
        default:
            return true
        }
    }

    private func makePrivate(
        _ file: ClaimFile, status: FileStatus, work: borrowing FileDescriptor
    ) throws(SpoolFailure) -> Bool {
        guard status.kind == .regular, status.linkCount > 1 else { return true }
        do throws(PrivateCopy.Failure) {
            try rewrite(file, expecting: status, work: work)
            return true
        } catch {
            switch error {
            case .changed: return false
            case .uncopyable: return true
            case .fault(let error): throw SpoolFailure(places.work, error)
            }
        }
    }

    /// Writes a claim's file anew and puts that in its place; it is on the disk when this returns.
    func rewrite(
        _ file: ClaimFile, expecting expected: FileStatus?, work: borrowing FileDescriptor
    ) throws(PrivateCopy.Failure) {
        let copying = file.directory.with(.copying)
        let name = file.name
        do throws(PrivateCopy.Failure) {
            do throws(Errno) {
                try FileDescriptor.makeDirectory(copying.name, mode: 0o700, relativeTo: work)
            } catch .fileExists {
                // From an attempt before this one.
            } catch {
                throw .fault(error)
            }
            let own = try openForCopy(file.folder, work: work)
            let other = try openForCopy(copying.name, work: work)
            try PrivateCopy.make(
                of: name, in: own, expecting: expected, as: name, in: other, atMost: longestFile, syncs: syncs)
            do throws(Errno) {
                try FileDescriptor.rename(name, in: other, to: name, in: own, ifTaken: .replace)
                try sync(own)
            } catch {
                throw .fault(error)
            }
        } catch {
            discard(copying, holding: name, work: work)
            throw error
        }
        discard(copying, holding: name, work: work)
    }

    func openForCopy(
        _ directory: FilePath, work: borrowing FileDescriptor
    ) throws(PrivateCopy.Failure) -> FileDescriptor {
        do throws(Errno) {
            return try FileDescriptor.openBeneath(directory, relativeTo: work, flags: .directory)
        } catch {
            throw .fault(error)
        }
    }

    /// The claim as it waits in `work` after an attempt that does not count.
    func lower(_ entry: ClaimEntry, work: borrowing FileDescriptor) -> ClaimEntry {
        let lowered = entry.directory.with(.attempt(max(0, entry.attempts - 1)))
        // Where this fails, the attempt counts.
        guard (try? rename(entry.directory, to: lowered, work: work)) != nil else { return entry }
        return ClaimEntry(id: entry.id, name: entry.name, kind: entry.kind, state: lowered.state)
    }

    /// Back to the inbox, and if that fails among the stranded.
    func returnToInbox(
        _ entry: ClaimEntry, inbox: borrowing FileDescriptor, work: borrowing FileDescriptor
    ) {
        do throws(SpoolFailure) {
            try putBack(entry, inbox: inbox, work: work)
        } catch {
            let waiting = lower(entry, work: work)
            stranded.withLock { $0.append(waiting) }
        }
    }

    /// Back to the inbox under its name, unless that is taken; then the claim's directory is gone.
    func putBack(
        _ entry: ClaimEntry, inbox: borrowing FileDescriptor, work: borrowing FileDescriptor
    ) throws(SpoolFailure) {
        do throws(Errno) {
            let own = try FileDescriptor.openBeneath(entry.directory.name, relativeTo: work, flags: .directory)
            do throws(Errno) {
                try moveWithoutReplacing(entry, in: own, to: inbox)
            } catch .crossesBoundary {
                try copyBack(entry, from: own, to: inbox)
            }
            try sync(inbox)
            try? FileDescriptor.removeDirectory(entry.directory.name, relativeTo: work)
            try sync(work)
        } catch {
            throw SpoolFailure(places.inbox.appending(entry.name), error)
        }
    }

    private func moveWithoutReplacing(
        _ entry: ClaimEntry, in directory: borrowing FileDescriptor, to target: borrowing FileDescriptor
    ) throws(Errno) {
        let name = entry.name
        do throws(Errno) {
            try FileDescriptor.rename(name, in: directory, to: name, in: target, ifTaken: .refuse)
        } catch .invalidArgument {
            if entry.kind == .directory {
                // Of all there may be, a directory replaces an empty one only.
                return try FileDescriptor.rename(name, in: directory, to: name, in: target, ifTaken: .replace)
            }
            // A network file system without RENAME_NOREPLACE: a link replaces nothing either.
            try FileDescriptor.link(name, in: directory, to: name, in: target)
            try FileDescriptor.unlink(name, relativeTo: directory)
        }
    }

    private func copyBack(
        _ entry: ClaimEntry, from own: borrowing FileDescriptor, to inbox: borrowing FileDescriptor
    ) throws(Errno) {
        guard entry.kind == .regular else { throw .crossesBoundary }
        let temporary = temporaryName(for: entry.id)
        do throws(PrivateCopy.Failure) {
            try PrivateCopy.make(
                of: entry.name, in: own, expecting: nil, as: temporary, in: inbox, atMost: longestFile, syncs: syncs)
        } catch {
            throw error.error
        }
        do throws(Errno) {
            do throws(Errno) {
                try FileDescriptor.rename(temporary, in: inbox, to: entry.name, in: inbox, ifTaken: .refuse)
            } catch .invalidArgument {
                try FileDescriptor.link(temporary, in: inbox, to: entry.name, in: inbox)
                try FileDescriptor.unlink(temporary, relativeTo: inbox)
            }
            try sync(inbox)
            try FileDescriptor.unlink(entry.name, relativeTo: own)
        } catch {
            try? FileDescriptor.unlink(temporary, relativeTo: inbox)
            throw error
        }
    }
}
