import CLinux
import Glibc

/// What stat(2) tells of a file.
public struct FileStatus: Equatable, Sendable {
    public var kind: FileKind
    /// In bytes.
    public var size: Int
    public var device: UInt64
    public var inode: UInt64
    /// Time of the last change of the content, in nanoseconds since 1970.
    public var modified: Int64
    /// Time of the last change of the content or the inode, in nanoseconds since 1970; a user cannot set it.
    public var changed: Int64
    /// The permission bits, 0 to 0o7777.
    public var mode: UInt32
    /// The user's number.
    public var owner: UInt32
    public var linkCount: UInt64

    /// True for two looks at one file, by whatever names.
    public func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && inode == other.inode
    }

    init(_ status: stat) {
        kind = FileKind(mode: status.st_mode)
        size = status.st_size
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
        mode = status.st_mode & 0o7777
        owner = status.st_uid
        linkCount = UInt64(status.st_nlink)
    }
}

/// What sort of thing a name stands for.
public enum FileKind: Sendable {
    case regular, directory, symlink, fifo, socket, characterDevice, blockDevice
    /// A descriptor that no name stands for, such as an eventfd.
    case anonymous

    init(mode: mode_t) {
        self =
            switch mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symlink
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            case S_IFCHR: .characterDevice
            case S_IFBLK: .blockDevice
            default: .anonymous
            }
    }
}

extension FileKind: CustomStringConvertible {
    /// The kind in words, without an article: "symbolic link".
    public var description: String {
        switch self {
        case .regular: "regular file"
        case .directory: "directory"
        case .symlink: "symbolic link"
        case .fifo: "FIFO"
        case .socket: "socket"
        case .characterDevice: "character device"
        case .blockDevice: "block device"
        case .anonymous: "nameless file"
        }
    }
}

/// A file system may hold a time that is out of range; such a time is cut off, not a reason to trap.
private func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return time.tv_sec < 0 ? .min : .max }
    let (sum, sumOverflow) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return sumOverflow ? .max : sum
}
