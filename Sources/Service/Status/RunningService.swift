internal import Glibc
internal import Kernel

/// The process that serves a root, told by its lock.
///
/// Read from /proc/locks. To try the lock would be to hold it for a moment, in which a service that starts would find
/// it taken and end; and a pid in a file may by now be another program's.
enum RunningService {
    /// The holder of the lock file at `path`; nil when nobody holds it, or there is no such file.
    ///
    /// - Parameter claimed: who the state file says it is. Some file systems (btrfs, overlay) show programs another
    ///   device than they show here, and then the inode and this process together have to do.
    static func holder(ofLockAt path: FilePath, claimed: Int32?) throws(Errno) -> Int32? {
        let lock: FileStatus
        do throws(Errno) {
            lock = try FileDescriptor.status(of: path)
        } catch .noSuchFileOrDirectory {
            return nil
        }
        let bytes = try FileDescriptor.open("/proc/locks", flags: .readOnly).readAll(maximumBytes: 64 << 20)
        return holder(of: lock, claimed: claimed, in: String(decoding: bytes, as: UTF8.self))
    }

    /// The holder of one file's lock.
    ///
    /// - Parameter locks: `1: FLOCK  ADVISORY  WRITE 1234 08:01:131 0 EOF`, a line each; one that still waits for its
    ///   lock has an arrow behind the number.
    static func holder(of lock: FileStatus, claimed: Int32?, in locks: String) -> Int32? {
        let device = "\(hexadecimal(major(lock.device))):\(hexadecimal(minor(lock.device)))"
        for line in locks.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE", let pid = Int32(words[4]) else {
                continue
            }
            let place = words[5].split(separator: ":")
            guard place.count == 3, place[2] == "\(lock.inode)" else { continue }
            if place[0] + ":" + place[1] == device || pid == claimed { return pid }
        }
        return nil
    }

    // As glibc's macros of these names, which Swift does not see.
    private static func major(_ device: UInt64) -> UInt64 { device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000 }
    private static func minor(_ device: UInt64) -> UInt64 { device & 0xFF | device >> 12 & 0xFFFF_FF00 }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
