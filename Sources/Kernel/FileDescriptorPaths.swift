import CLinux
import Glibc

/// How a file is opened; O_CLOEXEC and O_NOCTTY are always on.
public struct OpenFlags: OptionSet, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// O_RDONLY, which is what an empty set says too.
    public static let readOnly: OpenFlags = []
    /// O_WRONLY
    public static let writeOnly = OpenFlags(rawValue: O_WRONLY)
    /// O_RDWR
    public static let readWrite = OpenFlags(rawValue: O_RDWR)
    /// O_CREAT
    public static let create = OpenFlags(rawValue: O_CREAT)
    /// O_EXCL
    public static let exclusive = OpenFlags(rawValue: O_EXCL)
    /// O_NOFOLLOW
    public static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
    /// O_NONBLOCK: opening a FIFO does not wait for its other end.
    public static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
    /// O_DIRECTORY
    public static let directory = OpenFlags(rawValue: O_DIRECTORY)

    static let always = OpenFlags(rawValue: O_CLOEXEC | O_NOCTTY)
}

extension FileDescriptor {
    /// openat(2); `mode`, less the umask, counts where the file is created.
    public static func open(
        _ path: FilePath, flags: OpenFlags, mode: UInt32 = 0o666,
        relativeTo directory: borrowing FileDescriptor = .currentDirectory
    ) throws(Errno) -> FileDescriptor {
        let base = directory.rawValue
        let number = try path.withCString { (name) throws(Errno) in
            try systemCall { openat(base, name, flags.union(.always).rawValue, mode) }
        }
        return FileDescriptor(adopting: number)
    }

    /// openat2(2) with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and RESOLVE_NO_MAGICLINKS, O_NOFOLLOW and O_NONBLOCK.
    ///
    /// No link leads out of `directory` and no FIFO makes the call wait; what was opened is for the caller to ask
    /// `status()`. ELOOP for a symbolic link anywhere in `path`, EXDEV for a path that leaves `directory`.
    public static func openBeneath(
        _ path: FilePath, relativeTo directory: borrowing FileDescriptor, flags: OpenFlags = .readOnly
    ) throws(Errno) -> FileDescriptor {
        let base = directory.rawValue
        let all = flags.union([.always, .noFollow, .nonBlocking]).rawValue
        let number = try path.withCString { (name) throws(Errno) in
            try systemCall { linux_open_beneath(base, name, all) }
        }
        return FileDescriptor(adopting: number)
    }

    /// What a regular file beneath a directory holds; EFBIG when that is more than `maximumBytes`, EINVAL when it is no
    /// regular file, and as `openBeneath`.
    public static func contentsBeneath(
        _ path: FilePath, relativeTo directory: borrowing FileDescriptor, maximumBytes: Int
    ) throws(Errno) -> [UInt8] {
        let file = try openBeneath(path, relativeTo: directory)
        let status = try file.status()
        guard status.kind == .regular else { throw .invalidArgument }
        guard status.size <= maximumBytes else { throw .fileTooLarge }
        return try file.readAll(maximumBytes: maximumBytes)
    }

    /// fstatat(2) with AT_SYMLINK_NOFOLLOW: opens nothing, and of a link tells of the link itself.
    public static func status(
        of path: FilePath, relativeTo directory: borrowing FileDescriptor = .currentDirectory
    ) throws(Errno) -> FileStatus {
        let base = directory.rawValue
        return try path.withCString { (name) throws(Errno) in
            var status = stat()
            try systemCall { fstatat(base, name, &status, AT_SYMLINK_NOFOLLOW) }
            return FileStatus(status)
        }
    }

    /// stat(2): what `path` leads to in the end, through every link; nothing is opened.
    public static func status(following path: FilePath) throws(Errno) -> FileStatus {
        try path.withCString { (name) throws(Errno) in
            var status = stat()
            try systemCall { stat(name, &status) }
            return FileStatus(status)
        }
    }

    /// mkdirat(2); EEXIST when the name is taken.
    public static func makeDirectory(
        _ path: FilePath, mode: UInt32 = 0o777,
        relativeTo directory: borrowing FileDescriptor = .currentDirectory
    ) throws(Errno) {
        let base = directory.rawValue
        try path.withCString { (name) throws(Errno) in
            _ = try systemCall { mkdirat(base, name, mode) }
        }
    }

    /// unlinkat(2) of anything but a directory.
    public static func unlink(
        _ path: FilePath, relativeTo directory: borrowing FileDescriptor = .currentDirectory
    ) throws(Errno) {
        let base = directory.rawValue
        try path.withCString { (name) throws(Errno) in
            _ = try systemCall { unlinkat(base, name, 0) }
        }
    }

    /// renameat(2) of one entry of `directory`; replaces what `newName` stood for.
    public static func rename(
        _ name: FilePath, to newName: FilePath, in directory: borrowing FileDescriptor
    ) throws(Errno) {
        let base = directory.rawValue
        try name.withCString { (name) throws(Errno) in
            try newName.withCString { (newName) throws(Errno) in
                _ = try systemCall { renameat(base, name, base, newName) }
            }
        }
    }
}
