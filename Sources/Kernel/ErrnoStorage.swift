import Glibc

/// What disks say.
extension Errno {
    /// EROFS
    public static let readOnlyFileSystem = Errno(rawValue: EROFS)
    /// EIO
    public static let inputOutput = Errno(rawValue: EIO)
    /// ENOSYS
    public static let noSuchCall = Errno(rawValue: ENOSYS)
    /// EMLINK
    public static let tooManyLinks = Errno(rawValue: EMLINK)
    /// EDQUOT
    public static let quotaExceeded = Errno(rawValue: EDQUOT)
    /// ETXTBSY
    public static let textFileBusy = Errno(rawValue: ETXTBSY)
    /// EOPNOTSUPP
    public static let notSupported = Errno(rawValue: EOPNOTSUPP)
}
