import Kernel
import Synchronization

/// A directory as it is, whatever its name.
struct DirectoryIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) {
        device = status.device
        inode = status.inode
    }
}

extension Spool {
    /// Opens a directory below the outbox, making what is missing of it, and sees to it that its own name and those
    /// above it are on the disk.
    ///
    /// Another thread, or a run that was killed, may have made a directory that is not on the disk yet. So each is
    /// synced once by this process, whoever made it.
    func openOutbox(
        _ outbox: borrowing FileDescriptor, _ path: FilePath
    ) throws(SpoolFailure) -> FileDescriptor {
        var made: FilePath = ""
        do throws(Errno) {
            var parent = try FileDescriptor.open(".", flags: .directory, relativeTo: outbox)
            for component in path.components {
                made = made.appending(component)
                let isNew = try makeIfMissing(component, in: parent)
                let directory = try FileDescriptor.openBeneath(component, relativeTo: parent, flags: .directory)
                let identity = DirectoryIdentity(try directory.status())
                // A new one may have the number of one that was removed.
                if syncs, isNew || !durable.withLock({ $0.contains(identity) }) {
                    try parent.syncDirectory()
                    durable.withLock { _ = $0.insert(identity) }
                }
                parent = directory
            }
            return parent
        } catch {
            throw SpoolFailure(places.outbox.appending(made), error)
        }
    }

    private func makeIfMissing(_ name: FilePath, in parent: borrowing FileDescriptor) throws(Errno) -> Bool {
        do throws(Errno) {
            _ = try FileDescriptor.status(of: name, relativeTo: parent)
            return false
        } catch .noSuchFileOrDirectory {
            do throws(Errno) {
                try FileDescriptor.makeDirectory(name, relativeTo: parent)
            } catch .fileExists {
                // Another thread made it.
            }
            return true
        }
    }
}
