import Kernel

/// A file of a claim: the one that was claimed, or one in the directory that was.
struct ClaimFile {
    /// The claim's directory in `work`.
    let directory: ClaimDirectory
    /// Where the file lies, below `work`.
    let folder: FilePath
    let name: FilePath

    /// Below `work`.
    var path: FilePath { folder.appending(name) }
}

extension Spool {
    /// The regular files of a claim: itself, or those directly in its directory.
    ///
    /// Of a directory with more entries than a push has, none: nobody will read it.
    func files(
        name: FilePath, kind: FileKind, in directory: ClaimDirectory, work: borrowing FileDescriptor
    ) throws(Errno) -> [ClaimFile] {
        switch kind {
        case .regular:
            return [ClaimFile(directory: directory, folder: directory.name, name: name)]
        case .directory:
            let folder = directory.name.appending(name)
            let opened = try FileDescriptor.openBeneath(folder, relativeTo: work, flags: .directory)
            let listing = try DirectoryListing(of: opened, atMost: PushDirectory.mostEntries)
            guard listing.isWhole else { return [] }
            return listing.entries.filter { $0.kind == .regular }
                .map { ClaimFile(directory: directory, folder: folder, name: $0.name) }
        default:
            return []
        }
    }

    /// Whether everything in a claim's directory can be removed: there is no further directory in it, and this process
    /// may.
    func isErasable(_ claim: borrowing Claim, work: borrowing FileDescriptor) -> Bool {
        guard let folder = try? folder(of: claim, work: work), folder.mayChangeEntries,
            let listing = try? DirectoryListing(of: folder, atMost: PushDirectory.mostEntries)
        else { return false }
        return listing.isWhole && !listing.entries.contains { $0.kind == .directory }
    }

    /// Removes a claim with the directory that was claimed, whose name in `work` says from the first step on that what
    /// it holds is not whole: the rest is for the next start, should this one end in between.
    func erase(_ claim: borrowing Claim, work: borrowing FileDescriptor) throws(Errno) {
        let leaving = claim.directory.with(.copying)
        // What was left of making files our own.
        try? FileDescriptor.removeDirectory(leaving.name, relativeTo: work)
        try FileDescriptor.rename(claim.directory.name, in: work, to: leaving.name, in: work, ifTaken: .replace)
        try sync(work)
        let folder = leaving.name.appending(claim.name)
        let opened = try FileDescriptor.openBeneath(folder, relativeTo: work, flags: .directory)
        for entry in try DirectoryListing(of: opened).entries {
            try FileDescriptor.unlink(entry.name, relativeTo: opened)
        }
        try FileDescriptor.removeDirectory(folder, relativeTo: work)
        try FileDescriptor.removeDirectory(leaving.name, relativeTo: work)
    }

    /// The directory that was claimed.
    func folder(of claim: borrowing Claim, work: borrowing FileDescriptor) throws(Errno) -> FileDescriptor {
        try FileDescriptor.openBeneath(
            claim.directory.name.appending(claim.name), relativeTo: work, flags: .directory)
    }
}
