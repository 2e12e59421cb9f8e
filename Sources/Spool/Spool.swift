public import Kernel
import Synchronization

/// Where files live: claimed from the inbox, published to the outbox, kept in `done` or `rejected`.
///
/// One process at a time. Every directory is opened anew for each operation, so that one that was replaced by a mount
/// is found; below them no symbolic link is followed. Any thread may call anything, but for `recover`, which comes
/// first.
public final class Spool: Sendable {
    public let places: SpoolPlaces
    let syncs: Bool
    /// In bytes. Longer files are not copied, nor compared.
    let longestFile: Int
    let ids = ClaimIDs()
    /// Claims that could not be put back.
    let stranded = Mutex<[ClaimEntry]>([])
    /// Names in `rejected` that are being given.
    let reserved = Mutex<Set<FilePath>>([])
    /// Directories below the outbox whose own names are known to be on the disk.
    let durable = Mutex<Set<DirectoryIdentity>>([])
    /// Media whose directory could not be synced: the same bytes are written anew, not found again.
    let suspectMedia = Mutex<Set<FilePath>>([])
    private let lock: FileDescriptor
    private let outboxLock: FileDescriptor?

    /// Creates the directories that are missing and locks the root and the outbox.
    ///
    /// - Parameters:
    ///   - syncs: wait until everything is on the disk, as is right; without that a power cut loses outcomes.
    ///   - longestFile: in bytes, the longest original that anybody reads. A longer one is moved by renames alone: what
    ///     a copy of it would take is for its uploader to choose.
    /// - Throws: `inUse` when another process has one of the locks, `nested` when a directory lies in another.
    public init(_ places: SpoolPlaces, syncs: Bool, longestFile: Int) throws(SpoolFailure) {
        self.places = places
        self.syncs = syncs
        self.longestFile = longestFile
        try places.refuseNesting()
        try SpoolPlaces.create(places.root, syncs: syncs)
        lock = try Self.lock(places.lock)
        try places.createDirectories(syncs: syncs)
        outboxLock = try Self.lockIfPossible(places.outboxLock)
        // Once more: names with `..` in them could not be judged while they were missing.
        try places.refuseNesting()
        for entry in try list(places.work) {
            if let directory = ClaimDirectory(entry.name) { ids.startAbove(directory.id) }
        }
        for entry in try list(places.outbox.appending(OutboxPart.notices.name)) {
            if let id = ClaimID(entry.name) { ids.startAbove(id) }
        }
    }

    /// Whether another file lies where our lock was: somebody else may be at work here now.
    public var hasLostLock: Bool {
        guard let there = try? FileDescriptor.status(of: places.lock), let ours = try? lock.status() else {
            return false
        }
        return !there.isSameFile(as: ours)
    }

    /// The name of the manifest in the outbox that tells what became of this inbox name; another one for every name.
    public func outcomeName(for name: FilePath) -> FilePath {
        OutcomeName.manifest(for: name)
    }

    /// Claims that could not be put back since the last call, by `settle` or by a `claim` that brought none: to be
    /// resumed, or the next start finds them.
    public func takeStranded() -> [ClaimEntry] {
        stranded.withLock { stranded in
            defer { stranded = [] }
            return stranded
        }
    }

    private static func lock(_ path: FilePath, flags: OpenFlags = .readWrite) throws(SpoolFailure) -> FileDescriptor {
        do throws(Errno) {
            while true {
                let file = try FileDescriptor.open(path, flags: flags.union([.create, .noFollow]), mode: 0o600)
                try file.lock(exclusive: true, nonblocking: true)
                // Somebody may have removed the file meanwhile: then this lock keeps nobody away.
                if let status = try? FileDescriptor.status(of: path), try file.status().isSameFile(as: status) {
                    return file
                }
            }
        } catch {
            throw error == .wouldBlock ? .inUse(path) : SpoolFailure(path, error)
        }
    }
}

extension Spool {
    /// Nil on a file system that has no locks: the outbox may be on another one than the root, and needs its lock only
    /// against a service with another root.
    fileprivate static func lockIfPossible(_ path: FilePath) throws(SpoolFailure) -> FileDescriptor? {
        do throws(SpoolFailure) {
            do throws(SpoolFailure) {
                // Open for reading, so that its file system can still be made read-only.
                return try lock(path, flags: .readOnly)
            } catch {
                // NFS locks only what may be written to.
                guard error.error == .badFileDescriptor else { throw error }
                return try lock(path)
            }
        } catch {
            if [.noSuchCall, .notSupported].contains(error.error) { return nil }
            throw error
        }
    }
}

// MARK: - Directories

extension Spool {
    func open(_ directory: FilePath) throws(SpoolFailure) -> FileDescriptor {
        do throws(Errno) {
            return try FileDescriptor.open(directory, flags: .directory)
        } catch {
            throw SpoolFailure(directory, error)
        }
    }

    func list(_ directory: FilePath) throws(SpoolFailure) -> [DirectoryListing.Entry] {
        let opened = try open(directory)
        do throws(Errno) {
            return try DirectoryListing(of: opened).entries
        } catch {
            throw SpoolFailure(directory, error)
        }
    }

    func sync(_ directory: borrowing FileDescriptor) throws(Errno) {
        if syncs { try directory.syncDirectory() }
    }

    /// A name for a file that is being written; whatever it stands for is ours to remove.
    func temporaryName(for id: ClaimID) -> FilePath {
        FilePath(".mediaprep-\(id).tmp")
    }

    /// The claim whose file is being written under this name; nil when it is not such a name.
    func claim(writing name: FilePath) -> ClaimID? {
        let prefix = Array(".mediaprep-".utf8)
        guard name.bytes.starts(with: prefix) else { return nil }
        let id = ClaimID(FilePath(bytes: name.bytes.dropFirst(prefix.count).prefix(ClaimID.digits)))
        guard let id, temporaryName(for: id) == name else { return nil }
        return id
    }
}
