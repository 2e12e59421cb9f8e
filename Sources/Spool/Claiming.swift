import Kernel

extension Spool {
    /// Takes a candidate out of the inbox, by a rename into a directory of its own; from another mount, by a copy.
    ///
    /// The calling thread has the claim in hand. A file with more than one name is ours alone afterwards: what the
    /// other names stand for stays as it is; but one that is longer than any that is copied, or that cannot be read, is
    /// claimed with its other names. A directory is claimed with all that is in it, and its files count as files do.
    ///
    /// Whenever there is no claim, by the answer or by a failure, the file is in the inbox, or among `takeStranded`: it
    /// was taken out, and its name was taken again before it could be put back. So ask for these after every call that
    /// brought no claim.
    ///
    /// - Throws: a fault of the disk or of the system, in the same words for as long as it lasts.
    public func claim(_ candidate: Candidate) throws(SpoolFailure) -> ClaimAttempt {
        guard candidate.name.isEntryName else { return .gone }
        let inbox = try open(places.inbox)
        let work = try open(places.work)
        do throws(Errno) {
            let status = try FileDescriptor.status(of: candidate.name, relativeTo: inbox)
            guard status.isUnchanged(since: candidate.status) else { return .changed }
        } catch {
            return try judge(error, of: candidate, inbox: inbox)
        }
        let directory = try makeDirectory(in: work, state: .attempt(1))
        do throws(Errno) {
            let own = try FileDescriptor.openBeneath(directory.name, relativeTo: work, flags: .directory)
            try FileDescriptor.rename(
                candidate.name, in: inbox, to: candidate.name, in: own, ifTaken: .replace)
        } catch {
            try? FileDescriptor.removeDirectory(directory.name, relativeTo: work)
            if error == .crossesBoundary, candidate.status.kind == .regular {
                return try claimCopy(candidate, inbox: inbox, work: work)
            }
            return try judge(error, of: candidate, inbox: inbox)
        }
        return try accept(candidate, in: directory, inbox: inbox, work: work)
    }

    /// Looks once more: between the first look and the rename the name may have come to stand for something else.
    func accept(
        _ candidate: Candidate, in directory: ClaimDirectory, inbox: borrowing FileDescriptor,
        work: borrowing FileDescriptor
    ) throws(SpoolFailure) -> ClaimAttempt {
        let entry = ClaimEntry(
            id: directory.id, name: candidate.name, kind: candidate.status.kind, state: directory.state)
        do throws(SpoolFailure) {
            let status = try self.status(of: directory.name.appending(candidate.name), in: work)
            guard status.isUnchanged(since: candidate.status) else {
                returnToInbox(entry, inbox: inbox, work: work)
                return .changed
            }
            let mark = try Claim.mark(for: directory, in: places.work)
            guard try makePrivate(entry, status: status, work: work) else {
                returnToInbox(entry, inbox: inbox, work: work)
                return .changed
            }
            return .claimed(Claim(entry, work: places.work, mark: mark))
        } catch {
            returnToInbox(entry, inbox: inbox, work: work)
            throw error
        }
    }

    private func status(
        of path: FilePath, in work: borrowing FileDescriptor
    ) throws(SpoolFailure) -> FileStatus {
        do throws(Errno) {
            return try FileDescriptor.status(of: path, relativeTo: work)
        } catch {
            throw SpoolFailure(places.work, error)
        }
    }

    /// From another mount: the copy counts once it is on the disk under its claim's name, and only then the name in the
    /// inbox goes. A power cut between the two leaves both: the same file is worked on twice, with the same outcome.
    private func claimCopy(
        _ candidate: Candidate, inbox: borrowing FileDescriptor, work: borrowing FileDescriptor
    ) throws(SpoolFailure) -> ClaimAttempt {
        let copying = try makeDirectory(in: work, state: .copying)
        let directory = copying.with(.attempt(1))
        do throws(PrivateCopy.Failure) {
            try copy(candidate, into: copying, work: work, from: inbox)
        } catch {
            discard(copying, holding: candidate.name, work: work)
            switch error {
            case .changed: return .changed
            case .uncopyable(.noSuchFileOrDirectory): return .gone
            case .uncopyable(.permissionDenied): return try judge(.permissionDenied, of: candidate, inbox: inbox)
            // A link was put in its place.
            case .uncopyable(.symbolicLink): return .changed
            case .uncopyable(let error): return .immovable(error)
            case .fault(let error): throw SpoolFailure(places.work, error)
            }
        }
        do throws(SpoolFailure) {
            try rename(copying, to: directory, work: work)
        } catch {
            discard(copying, holding: candidate.name, work: work)
            throw error
        }
        do throws(Errno) {
            try sync(work)
            let status = try FileDescriptor.status(of: candidate.name, relativeTo: inbox)
            guard status.isUnchanged(since: candidate.status) else {
                discard(directory, holding: candidate.name, work: work)
                return .changed
            }
            try FileDescriptor.unlink(candidate.name, relativeTo: inbox)
        } catch {
            // Where the name went all the same, the copy is all there is.
            if (try? FileDescriptor.status(of: candidate.name, relativeTo: inbox)) != nil {
                discard(directory, holding: candidate.name, work: work)
                return try judge(error, of: candidate, inbox: inbox)
            }
        }
        let entry = ClaimEntry(
            id: directory.id, name: candidate.name, kind: .regular, state: directory.state)
        do throws(SpoolFailure) {
            return .claimed(Claim(entry, work: places.work, mark: try Claim.mark(for: directory, in: places.work)))
        } catch {
            returnToInbox(entry, inbox: inbox, work: work)
            throw error
        }
    }

    private func copy(
        _ candidate: Candidate, into directory: ClaimDirectory, work: borrowing FileDescriptor,
        from inbox: borrowing FileDescriptor
    ) throws(PrivateCopy.Failure) {
        let own = try openForCopy(directory.name, work: work)
        try PrivateCopy.make(
            of: candidate.name, in: inbox, expecting: candidate.status, as: candidate.name, in: own,
            atMost: longestFile, syncs: syncs)
        do throws(Errno) { try sync(own) } catch { throw .fault(error) }
    }

    /// What an error at the inbox's name says: about the file, or about the system.
    private func judge(
        _ error: Errno, of candidate: Candidate, inbox: borrowing FileDescriptor
    ) throws(SpoolFailure) -> ClaimAttempt {
        switch error {
        case .noSuchFileOrDirectory:
            return .gone
        case .symbolicLink:
            // It is one now.
            return .changed
        case let error where error.isOfEntry(mayChange: inbox.mayChangeEntries):
            return .immovable(error)
        case .notPermitted, .permissionDenied:
            throw SpoolFailure(places.inbox, error)
        default:
            throw SpoolFailure(places.inbox.appending(candidate.name), error)
        }
    }
}
