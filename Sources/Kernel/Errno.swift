import Glibc

/// The `errno` that a system call failed with.
public struct Errno: Error, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The calling thread's `errno`; to be read before anything else can change it.
    public static var current: Errno { Errno(rawValue: errno) }

    /// EPERM
    public static let notPermitted = Errno(rawValue: EPERM)
    /// ENOENT
    public static let noSuchFileOrDirectory = Errno(rawValue: ENOENT)
    /// ESRCH
    public static let noSuchProcess = Errno(rawValue: ESRCH)
    /// EINTR
    public static let interrupted = Errno(rawValue: EINTR)
    /// ENOEXEC
    public static let notExecutable = Errno(rawValue: ENOEXEC)
    /// EBADF
    public static let badFileDescriptor = Errno(rawValue: EBADF)
    /// EAGAIN, which is EWOULDBLOCK as well
    public static let wouldBlock = Errno(rawValue: EAGAIN)
    /// EACCES
    public static let permissionDenied = Errno(rawValue: EACCES)
    /// EBUSY
    public static let resourceBusy = Errno(rawValue: EBUSY)
    /// EEXIST
    public static let fileExists = Errno(rawValue: EEXIST)
    /// EXDEV
    public static let crossesBoundary = Errno(rawValue: EXDEV)
    /// ENOTDIR
    public static let notDirectory = Errno(rawValue: ENOTDIR)
    /// EISDIR
    public static let isDirectory = Errno(rawValue: EISDIR)
    /// EINVAL
    public static let invalidArgument = Errno(rawValue: EINVAL)
    /// EMFILE
    public static let tooManyOpenFiles = Errno(rawValue: EMFILE)
    /// ENFILE
    public static let tooManyOpenFilesInSystem = Errno(rawValue: ENFILE)
    /// ENOMEM
    public static let outOfMemory = Errno(rawValue: ENOMEM)
    /// EFBIG
    public static let fileTooLarge = Errno(rawValue: EFBIG)
    /// ENOSPC
    public static let noSpace = Errno(rawValue: ENOSPC)
    /// EPIPE
    public static let brokenPipe = Errno(rawValue: EPIPE)
    /// ENAMETOOLONG
    public static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
    /// ENOTEMPTY
    public static let directoryNotEmpty = Errno(rawValue: ENOTEMPTY)
    /// ELOOP: a symbolic link where none may be.
    public static let symbolicLink = Errno(rawValue: ELOOP)
    /// EMSGSIZE
    public static let messageTooLong = Errno(rawValue: EMSGSIZE)
    /// ETIMEDOUT
    public static let timedOut = Errno(rawValue: ETIMEDOUT)
    /// ECONNRESET
    public static let connectionReset = Errno(rawValue: ECONNRESET)
}

extension Errno: CustomStringConvertible {
    /// strerror(3): "No such file or directory".
    public var description: String { String(cString: strerror(rawValue)) }
}
