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

    /// setrlimit(RLIMIT_CORE) to 0.
    public static func forbidCoreDumps() throws(Errno) {
        try systemCall { linux_forbid_core_dumps() }
    }
}
