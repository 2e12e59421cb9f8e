public import Kernel
import Synchronization

extension Spool {
    /// Puts a rendition in place under the name of its own bytes; durable when this returns.
    ///
    /// A file that holds the same bytes is synced and stays. One that holds anything else, as after a power cut, is
    /// replaced.
    ///
    /// - Parameters:
    ///   - digest: the SHA-256 of the bytes, in lower-case hexadecimal.
    ///   - fileExtension: without the dot.
    /// - Returns: the path below the outbox: `media/ab/abcd….jpg`.
    public func publish(
        media bytes: Span<UInt8>, digest: String, fileExtension: String
    ) throws(SpoolFailure) -> FilePath {
        let folder = OutboxPart.media.name.appending(FilePath(String(digest.prefix(2))))
        let name = FilePath("\(digest).\(fileExtension)")
        let path = folder.appending(name)
        let outbox = try open(places.outbox)
        let temporary = try openOutbox(outbox, OutboxPart.temporary.name)
        let directory = try openOutbox(outbox, folder)
        do throws(Errno) {
            if !suspectMedia.withLock({ $0.contains(path) }), stands(bytes, as: name, in: directory) {
                try syncMedia(directory, path)
                return path
            }
            let temporaryName = ids.next().name
            try PublishedFile.prepare(bytes, temporaryName: temporaryName, in: temporary, sync: syncs)
            try PublishedFile.place(temporaryName, in: temporary, as: name, in: directory)
            try syncMedia(directory, path)
            return path
        } catch {
            throw SpoolFailure(places.outbox.appending(path), error)
        }
    }

    /// Whether the file is there with exactly these bytes, and on the disk.
    private func stands(_ bytes: Span<UInt8>, as name: FilePath, in directory: borrowing FileDescriptor) -> Bool {
        do throws(Errno) {
            let file = try FileDescriptor.openBeneath(name, relativeTo: directory)
            guard try FileComparison.holds(bytes, file) else { return false }
            if syncs { try file.sync() }
            return true
        } catch {
            // Whatever it is, it is written anew.
            return false
        }
    }

    private func syncMedia(_ directory: borrowing FileDescriptor, _ path: FilePath) throws(Errno) {
        do throws(Errno) {
            try sync(directory)
        } catch {
            // The next fsync(2) may succeed although nothing more was written: only a new entry makes it tell the truth.
            suspectMedia.withLock { _ = $0.insert(path) }
            throw error
        }
        suspectMedia.withLock { _ = $0.remove(path) }
    }

    /// Puts the manifest of a claim's outcome in place, where it replaces an earlier one of that name; durable when
    /// this returns. Its media have to be published before.
    ///
    /// - Parameter notifies: whether the outcome waits in `notices` from now on.
    public func publish(
        manifest: Span<UInt8>, of claim: borrowing Claim, notifies: Bool
    ) throws(SpoolFailure) {
        try secure(claim)
        let name = outcomeName(for: claim.name)
        let outbox = try open(places.outbox)
        let temporary = try openOutbox(outbox, OutboxPart.temporary.name)
        do throws(Errno) {
            let temporaryName = ids.next().name
            try PublishedFile.prepare(manifest, temporaryName: temporaryName, in: temporary, sync: syncs)
            do throws(Errno) {
                if notifies {
                    try addNotice(claim.id, of: manifest, named: temporaryName, in: temporary, outbox: outbox)
                }
                try PublishedFile.place(temporaryName, in: temporary, as: name, in: outbox)
                try sync(outbox)
            } catch {
                try? FileDescriptor.unlink(temporaryName, relativeTo: temporary)
                // Nobody is to be told of what is not there: the claim may go back to the inbox now, and be another
                // one afterwards.
                if notifies { try? removeNotice(claim.id) }
                throw error
            }
        } catch {
            throw SpoolFailure(places.outbox.appending(name), error)
        }
    }

    private func addNotice(
        _ id: ClaimID, of manifest: Span<UInt8>, named temporaryName: FilePath,
        in temporary: borrowing FileDescriptor, outbox: borrowing FileDescriptor
    ) throws(Errno) {
        let notices: FileDescriptor
        do throws(SpoolFailure) {
            notices = try openOutbox(outbox, OutboxPart.notices.name)
        } catch {
            throw error.error
        }
        do throws(Errno) {
            // What an attempt before this one made.
            try FileDescriptor.unlink(id.name, relativeTo: notices)
        } catch .noSuchFileOrDirectory {}
        do throws(Errno) {
            try FileDescriptor.link(temporaryName, in: temporary, to: id.name, in: notices)
        } catch {
            // A file system without hard links, or with too few of them for one file.
            guard [.notPermitted, .notSupported, .noSuchCall, .tooManyLinks].contains(error) else { throw error }
            let copy = ids.next().name
            try PublishedFile.prepare(manifest, temporaryName: copy, in: temporary, sync: syncs)
            try PublishedFile.place(copy, in: temporary, as: id.name, in: notices)
        }
        try sync(notices)
    }
}
