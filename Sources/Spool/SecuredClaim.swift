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
            if claim.kind == .regular { try secureFile(of: claim, work: work) }
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

    private func secureFile(of claim: borrowing Claim, work: borrowing FileDescriptor) throws(Errno) {
        if !claim.progress.isSuspect {
            let file: FileDescriptor
            do throws(Errno) {
                file = try claim.open()
            } catch {
                if error.isShortage || error == .noSuchFileOrDirectory { throw error }
                // What nobody can read cannot come to a different outcome.
                if [.permissionDenied, .notPermitted].contains(error) { return }
                // It may have been read before, and somebody's lease keeps it now.
                return try work.syncFileSystem()
            }
            do throws(Errno) { return try file.sync() } catch { claim.progress.isSuspect = true }
        }
        // What is in memory is right, and only there: it is written anew.
        do throws(PrivateCopy.Failure) {
            try rewrite(claim.name, in: claim.directory, expecting: nil, work: work)
        } catch {
            // What is its own does not pass: it may be torn by a power cut, as it may be by whoever writes to it.
            if case .fault(let error) = error { throw error }
            return
        }
        claim.progress.isSuspect = false
    }
}
