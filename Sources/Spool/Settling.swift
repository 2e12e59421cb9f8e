import Kernel
import Synchronization

extension Spool {
    /// Ends a claim: its file goes where `end` says, durably, and its directory in `work` is removed.
    ///
    /// `putBack` and `left` are always settled, see `SettledPlace.work`. `done` and `rejected` never overwrite other
    /// content: a name that is taken gets an ending; the same bytes under the same name replace what is there.
    ///
    /// Only a fault of the disk or of the system holds a claim. One whose file cannot be moved for a reason of its own
    /// is settled, see `SettledPlace.immovable`.
    public func settle(_ claim: consuming Claim, as end: ClaimEnd) -> Settlement {
        do throws(SpoolFailure) {
            let place = try finish(claim, as: end)
            claim.progress.isSettled = true
            return .settled(place)
        } catch {
            return .held(claim, error)
        }
    }

    private func finish(_ claim: borrowing Claim, as end: ClaimEnd) throws(SpoolFailure) -> SettledPlace {
        switch end {
        case .done(let digest):
            return try move(claim, to: OriginalPlace(directory: places.done, digest: digest, manifest: nil)) {
                .done($0)
            }
        case .rejected(let manifest, let digest):
            return try move(claim, to: OriginalPlace(directory: places.rejected, digest: digest, manifest: manifest)) {
                .rejected($0)
            }
        case .deleted:
            return claim.kind == .directory ? try deleteDirectory(claim) : try delete(claim)
        case .putBack:
            return putBack(claim)
        case .left:
            return .work(leave(claim))
        }
    }

    /// As an attempt that does not count.
    private func leave(_ claim: borrowing Claim) -> ClaimEntry {
        guard let work = try? open(places.work) else { return claim.entry }
        return lower(claim.entry, work: work)
    }

    private func putBack(_ claim: borrowing Claim) -> SettledPlace {
        guard let work = try? open(places.work) else { return .work(claim.entry) }
        do throws(SpoolFailure) {
            try putBack(claim.entry, inbox: open(places.inbox), work: work)
            return .inbox
        } catch {
            let waiting = lower(claim.entry, work: work)
            stranded.withLock { $0.append(waiting) }
            return .work(waiting)
        }
    }

    private func delete(_ claim: borrowing Claim) throws(SpoolFailure) -> SettledPlace {
        let work = try open(places.work)
        let path = claim.directory.name.appending(claim.name)
        var wasThere = true
        do throws(Errno) {
            do throws(Errno) {
                try FileDescriptor.unlink(path, relativeTo: work)
            } catch .noSuchFileOrDirectory {
                wasThere = false
            } catch {
                let own = try FileDescriptor.openBeneath(claim.directory.name, relativeTo: work, flags: .directory)
                guard error.isOfEntry(mayChange: own.mayChangeEntries) else { throw error }
                return .immovable(leave(claim), error)
            }
            try removeDirectory(of: claim, work: work)
        } catch {
            throw SpoolFailure(places.work.appending(path), error)
        }
        return wasThere ? .deleted : .vanished
    }

    private func deleteDirectory(_ claim: borrowing Claim) throws(SpoolFailure) -> SettledPlace {
        let work = try open(places.work)
        guard isErasable(claim, work: work) else { return try finish(claim, as: .done(digest: nil)) }
        do throws(Errno) {
            try erase(claim, work: work)
            return .deleted
        } catch .noSuchFileOrDirectory {
            try? removeDirectory(of: claim, work: work)
            return .vanished
        } catch {
            throw SpoolFailure(places.work.appending(claim.directory.name), error)
        }
    }

    /// Moves the original, unless somebody took it out of `work`, or it cannot be moved.
    private func move(
        _ claim: borrowing Claim, to target: OriginalPlace, as settled: (FilePath) -> SettledPlace
    ) throws(SpoolFailure) -> SettledPlace {
        let work = try open(places.work)
        let directory = try open(target.directory)
        let name: FilePath
        if let place = claim.progress.place {
            name = place
        } else {
            try secure(claim)
            do throws(Errno) {
                _ = try FileDescriptor.status(of: claim.directory.name.appending(claim.name), relativeTo: work)
            } catch .noSuchFileOrDirectory {
                try? removeDirectory(of: claim, work: work)
                return .vanished
            } catch {
                throw SpoolFailure(places.work.appending(claim.directory.name), error)
            }
            do throws(MoveFailure) {
                name = try give(claim, to: target, opened: directory, work: work)
            } catch {
                switch error {
                // The outcome is published, and waiting would keep a thread for as long as an uploader likes.
                case .immovable(let error): return .immovable(leave(claim), error)
                case .fault(let error): throw SpoolFailure(target.directory.appending(claim.name), error)
                }
            }
            claim.progress.place = name
        }
        do throws(Errno) {
            try sync(directory)
        } catch {
            throw SpoolFailure(target.directory, error)
        }
        do throws(Errno) {
            try removeDirectory(of: claim, work: work)
        } catch {
            throw SpoolFailure(places.work, error)
        }
        return settled(name)
    }

    /// A directory that is gone, or that somebody put something into, is none of ours: the next start tells of it.
    private func removeDirectory(of claim: borrowing Claim, work: borrowing FileDescriptor) throws(Errno) {
        // What was left of making the file our own, if that could not be removed then.
        discard(claim.directory.with(.copying), holding: claim.name, work: work)
        do throws(Errno) {
            try FileDescriptor.removeDirectory(claim.directory.name, relativeTo: work)
        } catch .noSuchFileOrDirectory {
        } catch .directoryNotEmpty {}
        try sync(work)
    }
}

extension Claim {
    var entry: ClaimEntry { ClaimEntry(id: id, name: name, kind: kind, state: directory.state) }
}
