// Apart from FileCopy.swift, which imports CLinux: a `timespec` that is made where both modules are visible is CLinux's for
// every file of the module in an optimised build, and no other file could use one.
import Glibc

/// What else of a file outlives a copy.
extension FileDescriptor {
    /// fchmod(2) to the permission bits of another file, without set-user-ID and its like, and futimens(2) to its time
    /// of change. The owner may read and write in any case: that need not be the other file's owner.
    public func copyAttributes(of status: FileStatus) throws(Errno) {
        try systemCall { fchmod(rawValue, (status.mode & 0o777) | 0o600) }
        let (seconds, nanoseconds) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        let borrow = nanoseconds < 0
        let time = timespec(
            tv_sec: Int(seconds) - (borrow ? 1 : 0), tv_nsec: Int(nanoseconds) + (borrow ? 1_000_000_000 : 0))
        var times = [time, time]
        try systemCall { futimens(rawValue, &times) }
    }
}
