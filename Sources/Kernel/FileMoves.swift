import CLinux
import Glibc

/// Entries that move from one directory to another.
extension FileDescriptor {
    /// What becomes of something that has the new name already.
    public enum Taken: Sendable {
        /// It is replaced.
        case replace
        /// EEXIST; EINVAL where the file system knows no RENAME_NOREPLACE.
        case refuse
        /// It has the old name afterwards; EINVAL where the file system knows no RENAME_EXCHANGE, ENOENT where nothing
        /// has the new name.
        case exchange
    }

    /// renameat(2), or renameat2(2) with RENAME_NOREPLACE or RENAME_EXCHANGE, from one directory to another;
    /// EXDEV across mounts.
    public static func rename(
        _ name: FilePath, in directory: borrowing FileDescriptor,
        to newName: FilePath, in newDirectory: borrowing FileDescriptor, ifTaken: Taken
    ) throws(Errno) {
        let base = directory.rawValue
        let newBase = newDirectory.rawValue
        try name.withCString { (name) throws(Errno) in
            try newName.withCString { (newName) throws(Errno) in
                _ = try systemCall {
                    switch ifTaken {
                    case .replace: renameat(base, name, newBase, newName)
                    case .refuse: linux_rename_exclusively(base, name, newBase, newName)
                    case .exchange: linux_rename_exchanging(base, name, newBase, newName)
                    }
                }
            }
        }
    }

    /// linkat(2): a second name for what `name` stands for, of a symbolic link for the link itself; EEXIST, EXDEV.
    public static func link(
        _ name: FilePath, in directory: borrowing FileDescriptor,
        to newName: FilePath, in newDirectory: borrowing FileDescriptor
    ) throws(Errno) {
        let base = directory.rawValue
        let newBase = newDirectory.rawValue
        try name.withCString { (name) throws(Errno) in
            try newName.withCString { (newName) throws(Errno) in
                _ = try systemCall { linkat(base, name, newBase, newName, 0) }
            }
        }
    }

    /// unlinkat(2) of a directory; ENOTEMPTY when something is in it.
    public static func removeDirectory(
        _ name: FilePath, relativeTo directory: borrowing FileDescriptor = .currentDirectory
    ) throws(Errno) {
        let base = directory.rawValue
        try name.withCString { (name) throws(Errno) in
            _ = try systemCall { unlinkat(base, name, AT_REMOVEDIR) }
        }
    }
}
