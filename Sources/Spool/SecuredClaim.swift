import Kernel

extension Spool {
    /// Sees to it that a claim, and the bytes in it, survive a power cut.
    ///
    /// Before an outcome is published: producers need not have synced what they wrote, and if the bytes were torn
    /// afterwards, the next start would make another outcome of them in place of the one that was acknowledged.
    func secure(_ claim: borrowing Claim) throws(SpoolFailure) {
        guard syncs, !claim.progress.isOnDisk else { return }
        let work = try open(places.work)
        do throws(Errno) {
            if claim.kind == .directory { try secureDirectory(of: claim, work: work) }
            for file in try filesToSecure(of: claim, work: work) { try secure(file, of: claim, work: work) }
            try FileDescriptor.openBeneath(claim.directory.name, relativeTo: work, flags: .directory).syncDirectory()
            try work.syncDirectory()
        } catch .noSuchFileOrDirectory {
            // Somebody took it away; `settle` tells.
            return
        } catch {
            throw SpoolFailure(places.work, error)
        }
        // If the name is still in the inbox after a power cut, the same outcome is made again.
        try? open(places.inbox).syncDirectory()
        claim.progress.isOnDisk = true
    }

    private func filesToSecure(
        of claim: borrowing Claim, work: borrowing FileDescriptor
    ) throws(Errno) -> [ClaimFile] {
        do throws(Errno) {
            return try files(name: claim.name, kind: claim.kind, in: claim.directory, work: work)
        } catch {
            // As for a file that nobody can read.
            if [.permissionDenied, .notPermitted].contains(error) { return [] }
            throw error
        }
    }

    private func openRegular(_ path: FilePath, work: borrowing FileDescriptor) throws(Errno) -> FileDescriptor {
        let file = try FileDescriptor.openBeneath(path, relativeTo: work)
        guard try file.status().kind == .regular else { throw .invalidArgument }
        return file
    }

    private func secureDirectory(of claim: borrowing Claim, work: borrowing FileDescriptor) throws(Errno) {
        do throws(Errno) {
            try folder(of: claim, work: work).syncDirectory()
        } catch {
            if [.permissionDenied, .notPermitted].contains(error) { return }
            throw error
        }
    }

    private func secure(
        _ claimed: ClaimFile, of claim: borrowing Claim, work: borrowing FileDescriptor
    ) throws(Errno) {
        if !claim.progress.suspects.contains(claimed.name) {
            let file: FileDescriptor
            do throws(Errno) {
                file = try openRegular(claimed.path, work: work)
            } catch {
                if error.isShortage || error == .noSuchFileOrDirectory { throw error }
                // What nobody can read cannot come to a different outcome.
                if [.permissionDenied, .notPermitted].contains(error) { return }
                // It may have been read before, and somebody's lease keeps it now.
                return try work.syncFileSystem()
            }
            do throws(Errno) { return try file.sync() } catch {
                claim.progress.suspects.insert(claimed.name)
            }
        }
        // What is in memory is right, and only there: it is written anew.
        do throws(PrivateCopy.Failure) {
            try rewrite(claimed, expecting: nil, work: work)
        } catch {
            // What is its own does not pass: it may be torn by a power cut, as it may be by whoever writes to it.
            if case .fault(let error) = error { throw error }
            return
        }
        claim.progress.suspects.remove(claimed.name)
    }
}
