internal import CSeccomp
internal import Glibc
public import Kernel

/// The system calls of a confined process; every other kills it.
///
/// Found by tracing the pipeline over pictures of every kind, and no more than that.
public enum SystemCallRules {
    /// What one call is answered with, where its arguments fit.
    public struct Rule: Sendable {
        public var call: String
        public var answer: Answer
        public var conditions: [Condition] = []
    }

    public enum Answer: Equatable, Sendable {
        case allow
        case fail(Errno)
    }

    /// What an argument has to be.
    public struct Condition: Sendable {
        /// Counted from 0.
        public var argument: UInt32
        public var value: UInt64
    }

    /// All rules, for a process that talks on `socket`.
    public static func rules(socket: Int32, process: Int32) -> [Rule] {
        free.map { Rule(call: $0, answer: .allow) } + bound(socket: socket, process: process)
            + refused.map { Rule(call: $0, answer: .fail(.notPermitted)) }
    }

    /// Allowed whatever their arguments are.
    public static let free = [
        // Descriptors that are open: the result, and to map the picture.
        "read", "write", "lseek", "close",
        // Memory. Executable memory too, for the inner loops that libvips compiles (orc): without them a picture that it
        // resizes takes 26 to 47 % more CPU, and with them but without the memory orc aborts.
        "mmap", "munmap", "mremap", "mprotect", "madvise", "brk",
        // Threads and signals of this process.
        "futex", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity", "gettid", "getpid", "rt_sigaction",
        "rt_sigprocmask", "rt_sigreturn", "restart_syscall", "exit", "exit_group",
        // Time and chance.
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "getrandom",
        // How much memory the machine has.
        "sysinfo",
    ]

    /// Allowed with certain arguments, or refused with an error of their own.
    private static func bound(socket: Int32, process: Int32) -> [Rule] {
        let socket = UInt64(socket)
        let process = UInt64(process)
        return [
            Rule(call: "sendmsg", answer: .allow, conditions: [Condition(argument: 0, value: socket)]),
            Rule(call: "recvmsg", answer: .allow, conditions: [Condition(argument: 0, value: socket)]),
            // Threads as the C library makes them, and no processes. How many, no filter can count, and RLIMIT_NPROC
            // counts the user's, not the process's: that is for the service's own bound on tasks, and for the deadline.
            Rule(
                call: "clone", answer: .allow, conditions: [Condition(argument: 0, value: UInt64(SHIM_CLONE_THREAD))]),
            // Its flags lie in memory, where a filter cannot look; the C library falls back on clone.
            Rule(call: "clone3", answer: .fail(Errno(rawValue: ENOSYS))),
            // abort(3) signals itself.
            Rule(call: "tgkill", answer: .allow, conditions: [Condition(argument: 0, value: process)]),
            // Naming a thread, and asking for this very filter. A C library that names mappings too (PR_SET_VMA) does so
            // only where an environment variable asks for it, and a worker's environment is ours.
            Rule(call: "prctl", answer: .allow, conditions: [Condition(argument: 0, value: UInt64(SHIM_SET_NAME))]),
            Rule(call: "prctl", answer: .allow, conditions: [Condition(argument: 0, value: UInt64(SHIM_GET_SECCOMP))]),
            // Reading one's own limits, and not setting them.
            Rule(
                call: "prlimit64", answer: .allow,
                conditions: [Condition(argument: 0, value: 0), Condition(argument: 2, value: 0)]),
            // HEIF is decoded on one processor; its decoder counts those that are allowed. Of no other process.
            Rule(call: "sched_setaffinity", answer: .allow, conditions: [Condition(argument: 0, value: 0)]),
            // Whether the picture is sealed.
            Rule(call: "fcntl", answer: .allow, conditions: [Condition(argument: 1, value: UInt64(SHIM_GET_SEALS))]),
        ]
    }

    /// Refused with an error instead of death: calls that libraries make without need, to log and to look around.
    public static let refused = [
        "open", "openat", "access", "faccessat", "faccessat2", "stat", "lstat", "newfstatat", "statx", "readlink",
        "readlinkat", "getcwd", "unlink", "unlinkat", "memfd_create", "getpeername", "umask", "ioctl",
    ]
}
