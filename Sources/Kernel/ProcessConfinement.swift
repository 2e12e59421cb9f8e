import CLinux
import Glibc

/// What a process can take from itself.
public enum ProcessConfinement {
    /// prctl(PR_SET_PDEATHSIG) with SIGKILL: this process dies with the thread that spawned it.
    ///
    /// ESRCH when `parent` was gone before the call.
    public static func dieWithParent(_ parent: Int32) throws(Errno) {
        try systemCall { linux_set_parent_death_signal(SIGKILL) }
        guard getppid() == parent else { throw .noSuchProcess }
    }

    /// setrlimit(RLIMIT_AS), soft and hard, in bytes.
    public static func limitAddressSpace(bytes: UInt64) throws(Errno) {
        try systemCall { linux_limit_address_space(bytes) }
    }

    /// What this process has mapped now, in bytes: the first number of /proc/self/statm, which RLIMIT_AS is held
    /// against. Libraries are in it, whether or not anything of them was ever read.
    public static func mappedBytes() throws(Errno) -> UInt64 {
        let text = try FileDescriptor.open("/proc/self/statm", flags: .readOnly).readAll(maximumBytes: 1_000)
        guard let word = String(decoding: text, as: UTF8.self).split(separator: " ").first,
            let pages = UInt64(word)
        else { throw .invalidArgument }
        return pages * UInt64(getpagesize())
    }

    /// setrlimit(RLIMIT_CORE) to 0.
    public static func forbidCoreDumps() throws(Errno) {
        try systemCall { linux_forbid_core_dumps() }
    }
}
