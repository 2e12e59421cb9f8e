import CLinux
import Glibc

/// A read lease, taken only to learn whether somebody has a file open for writing, and given back at once.
public enum ReadLease {
    /// Who may be writing to a file.
    public enum Writers: Sendable {
        /// Nobody has it open for writing.
        case none
        case some
        /// The file system or the file's permissions do not let us ask, or it is no regular file.
        case unknown
    }

    /// Looks at what `name` stands for, and asks for its writers when that is a regular file.
    ///
    /// Nothing but a regular file is ever opened, whatever replaces it meanwhile, and no link is followed. ENOENT when
    /// there is no such name; EMFILE, ENFILE and ENOMEM are errors too, for they say nothing about the file.
    public static func look(
        at name: FilePath, in directory: borrowing FileDescriptor
    ) throws(Errno) -> (status: FileStatus, writers: Writers) {
        let base = directory.rawValue
        let number = try name.withCString { (name) throws(Errno) in
            try systemCall { linux_open_handle(base, name) }
        }
        let handle = FileDescriptor(adopting: number)
        let status = try handle.status()
        guard status.kind == .regular else { return (status, .unknown) }
        return (status, try writers(of: handle))
    }

    private static func writers(of handle: borrowing FileDescriptor) throws(Errno) -> Writers {
        let number = handle.rawValue
        do throws(Errno) {
            let file = FileDescriptor(adopting: try systemCall { linux_open_handle_for_reading(number) })
            let opened = file.rawValue
            try systemCall { linux_try_read_lease(opened) }
            return .none
        } catch .wouldBlock {
            return .some
        } catch {
            switch error {
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .outOfMemory: throw error
            default: return .unknown
            }
        }
    }
}
