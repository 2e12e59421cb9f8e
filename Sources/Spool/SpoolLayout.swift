public import Kernel

/// The directories of a spool.
extension SpoolPlaces {
    /// Holds a directory for each claim.
    public var work: FilePath { root.appending("work") }
    var done: FilePath { root.appending("done") }
    /// Holds the originals that were refused, and their manifests.
    public var rejected: FilePath { root.appending("rejected") }
    /// Held by the service that works here, as long as it does.
    public var lock: FilePath { root.appending("lock") }
    /// Holds the manifests of outcomes that are still to be told.
    public var notices: FilePath { outbox.appending(OutboxPart.notices.name) }
    /// Two services with roots of their own must not sweep each other's `.tmp`.
    var outboxLock: FilePath { outbox.appending(".lock") }

    /// Creates what is missing.
    func createDirectories(syncs: Bool) throws(SpoolFailure) {
        for path in separate + OutboxPart.allCases.map({ outbox.appending($0.name) }) {
            // Originals say where and when they were taken: they are nobody else's to read.
            try Self.create(path, mode: [work, done, rejected].contains(path) ? 0o700 : 0o777, syncs: syncs)
        }
    }

    /// Creates a directory and those above it where they are missing, and waits until they are on the disk.
    ///
    /// - Parameter mode: of the directory itself, less the umask.
    static func create(_ path: FilePath, mode: UInt32 = 0o777, syncs: Bool) throws(SpoolFailure) {
        var made: FilePath = path.isAbsolute ? "/" : ""
        do throws(Errno) {
            for component in path.components {
                let parent = made.isEmpty ? "." : made
                made = made.appending(component)
                var isNew = true
                do throws(Errno) {
                    let isLast = made.components.count == path.components.count
                    try FileDescriptor.makeDirectory(made, mode: isLast ? mode : 0o777)
                } catch .fileExists {
                    // Opening it tells whether it is a directory.
                    isNew = false
                }
                // The last one in any case: a run that was killed may have made it.
                if syncs, isNew || made.components.count == path.components.count { try syncIfReadable(parent) }
            }
            _ = try FileDescriptor.open(path, flags: .directory)
        } catch {
            throw SpoolFailure(made, error)
        }
    }
}

/// fsync(2) of a directory, unless this process may only pass through it.
private func syncIfReadable(_ path: FilePath) throws(Errno) {
    do throws(Errno) {
        try FileDescriptor.open(path, flags: .directory).syncDirectory()
    } catch .permissionDenied {}
}

/// The directories in an outbox.
enum OutboxPart: String, CaseIterable {
    case media
    /// Files that are being written.
    case temporary = ".tmp"
    /// Manifests by what they were made from.
    case index = ".index"
    /// Manifests that nobody has been told of yet.
    case notices = ".notify"

    var name: FilePath { FilePath(rawValue) }
}

extension FileDescriptor {
    /// fsync(2) of a directory; nothing where the file system has no such thing.
    func syncDirectory() throws(Errno) {
        do throws(Errno) {
            try sync()
        } catch .invalidArgument {}
    }
}
