import Kernel

/// The directories of a spool.
extension SpoolPlaces {
    var work: FilePath { root.appending("work") }
    var done: FilePath { root.appending("done") }
    var rejected: FilePath { root.appending("rejected") }
    var lock: FilePath { root.appending("lock") }

    /// Creates what is missing.
    func createDirectories(syncs: Bool) throws(SpoolFailure) {
        for path in separate + OutboxPart.allCases.map({ outbox.appending($0.name) }) {
            try Self.create(path, syncs: syncs)
        }
    }

    /// Creates a directory and those above it where they are missing, and waits until they are on the disk.
    static func create(_ path: FilePath, syncs: Bool) throws(SpoolFailure) {
        var made: FilePath = path.isAbsolute ? "/" : ""
        do throws(Errno) {
            for component in path.components {
                let parent = try FileDescriptor.open(made.isEmpty ? "." : made, flags: .directory)
                made = made.appending(component)
                do throws(Errno) {
                    try FileDescriptor.makeDirectory(component, mode: 0o777, relativeTo: parent)
                } catch .fileExists {
                    // Opening it tells whether it is a directory.
                    continue
                }
                if syncs { try parent.syncDirectory() }
            }
            _ = try FileDescriptor.open(path, flags: .directory)
        } catch {
            throw SpoolFailure(made, error)
        }
    }
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
