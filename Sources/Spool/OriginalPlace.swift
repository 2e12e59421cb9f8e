import Kernel
import Synchronization

/// Where an original is to go.
struct OriginalPlace {
    /// `done` or `rejected`.
    let directory: FilePath
    /// SHA-256 of the original; nil where it was not read.
    let digest: String?
    /// What is kept beside it.
    let manifest: [UInt8]?
}

/// Why an original is not moved.
enum MoveFailure: Error {
    /// For a reason of its own, which does not pass.
    case immovable(Errno)
    /// A fault of the disk or of the system.
    case fault(Errno)
}

extension Spool {
    /// Moves a claim's file to the first name that it can have, and writes its manifest before.
    ///
    /// The manifest first, because the original's move is what ends the claim: after a crash between the two the replay
    /// replaces a manifest that has no original. So does the next attempt at one that could not be moved.
    func give(
        _ claim: borrowing Claim, to place: OriginalPlace, opened target: borrowing FileDescriptor,
        work: borrowing FileDescriptor
    ) throws(MoveFailure) -> FilePath {
        let own: FileDescriptor
        do throws(Errno) {
            own = try FileDescriptor.openBeneath(claim.directory.name, relativeTo: work, flags: .directory)
        } catch {
            throw .fault(error)
        }
        for ending in NameEnding.allCases {
            guard let name = name(for: claim, ending: ending, in: place) else { continue }
            if try give(claim, own: own, to: name, of: place, opened: target, work: work) { return name }
        }
        throw .fault(.fileExists)
    }

    private func give(
        _ claim: borrowing Claim, own: borrowing FileDescriptor, to name: FilePath, of place: OriginalPlace,
        opened target: borrowing FileDescriptor, work: borrowing FileDescriptor
    ) throws(MoveFailure) -> Bool {
        // Two threads must not write manifests for one name.
        if place.manifest != nil {
            guard reserved.withLock({ $0.insert(name).inserted }) else { return false }
        }
        defer { if place.manifest != nil { reserved.withLock { _ = $0.remove(name) } } }
        let replaces: Bool
        do throws(Errno) {
            switch try standing(name, in: target, against: claim, own: own, work: work) {
            case .taken: return false
            case .free: replaces = false
            case .same: replaces = true
            }
            if let manifest = place.manifest {
                let manifestName = FilePath(bytes: name.bytes + Array(".json".utf8))
                guard try isOurs(manifestName, in: target) else { return false }
                try PublishedFile.write(
                    manifest.span, named: manifestName, in: target, temporaryName: temporaryName(for: claim.id),
                    sync: syncs)
            }
        } catch {
            throw error.isOfName ? .immovable(error) : .fault(error)
        }
        if replaces, claim.kind == .directory {
            // No rename replaces a directory that holds something: the one that is there stays, which is the same.
            do throws(Errno) { try erase(claim, work: work) } catch { throw .fault(error) }
            return true
        }
        do throws(MoveFailure) {
            try move(claim, own: own, to: name, in: target, replaces: replaces)
            return true
        } catch {
            if case .fault(.fileExists) = error, !replaces { return false }
            throw error
        }
    }

    private func move(
        _ claim: borrowing Claim, own: borrowing FileDescriptor, to name: FilePath,
        in target: borrowing FileDescriptor, replaces: Bool
    ) throws(MoveFailure) {
        var error: Errno?
        do throws(Errno) {
            try rename(claim.name, in: own, to: name, in: target, replaces: replaces)
        } catch let failure {
            error = failure
        }
        if error == .crossesBoundary, claim.kind == .regular {
            return try moveCopy(claim, own: own, to: name, in: target, replaces: replaces)
        }
        if let error { throw judge(error, own: own, target: target) }
        // A rename onto another name of the same file does nothing.
        if replaces { try? FileDescriptor.unlink(claim.name, relativeTo: own) }
    }

    private func moveCopy(
        _ claim: borrowing Claim, own: borrowing FileDescriptor, to name: FilePath,
        in target: borrowing FileDescriptor, replaces: Bool
    ) throws(MoveFailure) {
        let temporary = temporaryName(for: claim.id)
        do throws(PrivateCopy.Failure) {
            try PrivateCopy.make(
                of: claim.name, in: own, expecting: nil, as: temporary, in: target, atMost: longestFile, syncs: syncs)
        } catch {
            switch error {
            // Somebody writes to it still, for as long as that may take.
            case .changed, .uncopyable: throw .immovable(error.error)
            case .fault(let error): throw .fault(error)
            }
        }
        do throws(Errno) {
            do throws(Errno) {
                try rename(temporary, in: target, to: name, in: target, replaces: replaces)
            } catch {
                try? FileDescriptor.unlink(temporary, relativeTo: target)
                throw error
            }
            try sync(target)
            try FileDescriptor.unlink(claim.name, relativeTo: own)
        } catch {
            throw judge(error, own: own, target: target)
        }
    }

    private func judge(
        _ error: Errno, own: borrowing FileDescriptor, target: borrowing FileDescriptor
    ) -> MoveFailure {
        let mayChange = own.mayChangeEntries && target.mayChangeEntries
        return error.isOfEntry(mayChange: mayChange) ? .immovable(error) : .fault(error)
    }

    private func rename(
        _ name: FilePath, in directory: borrowing FileDescriptor, to newName: FilePath,
        in target: borrowing FileDescriptor, replaces: Bool
    ) throws(Errno) {
        do throws(Errno) {
            try FileDescriptor.rename(
                name, in: directory, to: newName, in: target, ifTaken: replaces ? .replace : .refuse)
        } catch {
            guard error == .invalidArgument, !replaces else { throw error }
            // No RENAME_NOREPLACE here. The name was free a moment ago, and this process is the one that gives names.
            try FileDescriptor.rename(name, in: directory, to: newName, in: target, ifTaken: .replace)
        }
    }
}

// MARK: - Names

/// What an original's name ends with where it lies.
private enum NameEnding: CaseIterable {
    case none, digest, id
}

/// What stands at the place where an original would go.
private enum Standing {
    case free
    /// The same bytes.
    case same
    case taken
}

extension Spool {
    /// Nil for a name that the original cannot have.
    ///
    /// No original in `rejected` ends like a manifest: so `a.jpg` and its manifest `a.jpg.json` never meet an original
    /// that was called `a.jpg.json`.
    private func name(
        for claim: borrowing Claim, ending: NameEnding, in place: OriginalPlace
    ) -> FilePath? {
        let room = OutcomeName.longestName - (place.manifest == nil ? 0 : ".json".utf8.count)
        let text: String
        switch ending {
        case .none:
            let endsLikeManifest = claim.name.bytes.suffix(5).elementsEqual(".json".utf8)
            if place.manifest != nil, endsLikeManifest { return nil }
            if self.claim(writing: claim.name) != nil || claim.name.bytes.count > room { return nil }
            return claim.name
        case .digest:
            guard let digest = place.digest else { return nil }
            text = ".\(digest.prefix(16))"
        case .id:
            text = ".\(claim.id)"
        }
        return FilePath(
            bytes: OutcomeName.shortened(claim.name, toFit: room - text.utf8.count) + Array(text.utf8))
    }

    private func standing(
        _ name: FilePath, in target: borrowing FileDescriptor, against claim: borrowing Claim,
        own: borrowing FileDescriptor, work: borrowing FileDescriptor
    ) throws(Errno) -> Standing {
        do throws(Errno) {
            let status = try FileDescriptor.status(of: name, relativeTo: target)
            guard status.kind == claim.kind else { return .taken }
        } catch .noSuchFileOrDirectory {
            return .free
        }
        if claim.kind == .directory {
            guard isErasable(claim, work: work) else { return .taken }
            return try sameDirectory(name, in: target, as: claim.name, in: own) ? .same : .taken
        }
        guard claim.kind == .regular else { return .taken }
        return try sameContent(name, in: target, as: claim.name, in: own) ? .same : .taken
    }

    /// Whether a manifest may be written under this name: only manifests end so, and one whose original is not there,
    /// or is the same, has had its time.
    private func isOurs(_ manifestName: FilePath, in target: borrowing FileDescriptor) throws(Errno) -> Bool {
        do throws(Errno) {
            return try FileDescriptor.status(of: manifestName, relativeTo: target).kind == .regular
        } catch .noSuchFileOrDirectory {
            return true
        }
    }

    /// Whether two directories hold files of the same names with the same bytes, and nothing else.
    private func sameDirectory(
        _ name: FilePath, in directory: borrowing FileDescriptor,
        as otherName: FilePath, in otherDirectory: borrowing FileDescriptor
    ) throws(Errno) -> Bool {
        do throws(Errno) {
            let one = try FileDescriptor.openBeneath(name, relativeTo: directory, flags: .directory)
            let other = try FileDescriptor.openBeneath(otherName, relativeTo: otherDirectory, flags: .directory)
            let entries = try DirectoryListing(of: one, atMost: PushDirectory.mostEntries).entries
            let others = try DirectoryListing(of: other, atMost: PushDirectory.mostEntries).entries
            guard entries.map(\.name) == others.map(\.name) else { return false }
            for entry in entries {
                guard try sameContent(entry.name, in: one, as: entry.name, in: other) else { return false }
            }
            return true
        } catch {
            if error.isShortage { throw error }
            return false
        }
    }

    private func sameContent(
        _ name: FilePath, in directory: borrowing FileDescriptor,
        as otherName: FilePath, in otherDirectory: borrowing FileDescriptor
    ) throws(Errno) -> Bool {
        do throws(Errno) {
            return try FileComparison.holdsSame(
                FileDescriptor.openBeneath(name, relativeTo: directory),
                FileDescriptor.openBeneath(otherName, relativeTo: otherDirectory), atMost: longestFile)
        } catch {
            if error.isShortage { throw error }
            // What cannot be compared is not the same.
            return false
        }
    }
}
