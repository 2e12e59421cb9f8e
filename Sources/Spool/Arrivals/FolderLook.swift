import Kernel

/// What a look at a directory in the inbox shows of what is in it.
struct FolderLook: Sendable, Equatable {
    /// Changes with every file's name, length and times; within one process only.
    var stamp = 0
    /// Of all of its files: `some` where one has writers, else `unknown` where one may have.
    var writers = ReadLease.Writers.none
    /// Whether more is to come, by all that is known: it is empty, or a name is one of a file that is being written.
    var isUnfinished = false

    /// Looks at as many entries as a push may have; what comes after them does not change what becomes of it.
    ///
    /// - Parameter parts: names of files that are being written.
    init(at name: FilePath, in directory: borrowing FileDescriptor, parts: NamePatterns) throws(Errno) {
        let folder: FileDescriptor
        do throws(Errno) {
            folder = try FileDescriptor.openBeneath(name, relativeTo: directory, flags: .directory)
        } catch {
            if [.permissionDenied, .notPermitted].contains(error) {
                // It will be refused, unless its owner opens it.
                writers = .unknown
                return
            }
            throw error
        }
        var hasher = Hasher()
        let entries = try DirectoryListing(of: folder, atMost: PushDirectory.mostEntries).entries
            .filter { !PushDirectory.litter.match($0.name) }
        isUnfinished = entries.isEmpty
        for entry in entries {
            if parts.match(entry.name) { isUnfinished = true }
            guard let (status, writers) = try Self.look(at: entry.name, in: folder) else { continue }
            hasher.combine(entry.name)
            hasher.combine(status.inode)
            hasher.combine(status.size)
            hasher.combine(status.modified)
            hasher.combine(status.changed)
            if status.kind == .regular { add(writers) }
        }
        stamp = hasher.finalize()
    }

    /// Nil for a name that went away, and for one that cannot be looked at.
    private static func look(
        at name: FilePath, in folder: borrowing FileDescriptor
    ) throws(Errno) -> (FileStatus, ReadLease.Writers)? {
        do throws(Errno) {
            return try ReadLease.look(at: name, in: folder)
        } catch {
            switch error {
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .outOfMemory: throw error
            default: return nil
            }
        }
    }

    private mutating func add(_ more: ReadLease.Writers) {
        switch (writers, more) {
        case (.some, _), (_, .none): break
        case (_, .some): writers = .some
        case (_, .unknown): writers = .unknown
        }
    }
}
