import CLinux
import Glibc

/// Owns a child process in a process group of its own; with the child's end, or that of this value, the group is killed
/// and the child reaped.
public struct ChildProcess: ~Copyable, Sendable {
    public let pid: Int32
    /// A pidfd, which becomes readable when the process has ended.
    public let processDescriptor: FileDescriptor
    private var status: ExitStatus?

    /// posix_spawn(3) with an empty signal mask, default signals, and no descriptors but these: standard input and
    /// output on /dev/null, standard error as it is here, and `socket` as descriptor 3.
    ///
    /// `arguments` are those after the program's name; `environment` is the whole of it, as `NAME=value`.
    public static func spawn(
        executable: FilePath, arguments: [String], environment: [String], inheriting socket: borrowing MessageSocket
    ) throws(Errno) -> ChildProcess {
        try spawn(executable, arguments, environment, socket.descriptor.rawValue, as: 3)
    }

    /// As above, with `input` as standard input and no further descriptor.
    public static func spawn(
        executable: FilePath, arguments: [String], environment: [String], reading input: borrowing FileDescriptor
    ) throws(Errno) -> ChildProcess {
        try spawn(executable, arguments, environment, input.rawValue, as: 0)
    }

    private static func spawn(
        _ executable: FilePath, _ arguments: [String], _ environment: [String], _ descriptor: Int32, as number: Int32
    ) throws(Errno) -> ChildProcess {
        let pid = try executable.withCString { (path) throws(Errno) in
            try withCStrings([executable.display] + arguments) { (arguments) throws(Errno) in
                try withCStrings(environment) { (environment) throws(Errno) in
                    try spawnProcess(path, arguments, environment, descriptor, as: number)
                }
            }
        }
        return try ChildProcess(pid: pid)
    }

    private init(pid: Int32) throws(Errno) {
        let number = linux_pidfd_open(pid)
        guard number >= 0 else {
            let error = Errno.current
            // Where SIGCHLD is ignored the process may be gone already, and its number another's.
            if error != .noSuchProcess {
                Self.killGroup(of: pid, signal: SIGKILL)
                _ = Self.reap(pid)
            }
            throw error
        }
        self.pid = pid
        processDescriptor = FileDescriptor(adopting: number)
        status = nil
    }

    deinit {
        if status == nil {
            Self.killGroup(of: pid, signal: SIGKILL)
            _ = Self.reap(pid)
        }
    }

    /// kill(2) of the whole group; does nothing once the child was waited for, when its number may be another's.
    public func killGroup(signal: Int32) {
        if status == nil { Self.killGroup(of: pid, signal: signal) }
    }

    /// waitpid(2): waits for the end, kills what the child left of its group, and leaves no zombie. Asked again, it gives
    /// the same answer.
    public mutating func wait() -> ExitStatus {
        if let status { return status }
        // While the child is a zombie its number is its own, and so is the group's.
        if Self.waitForEnd(pid) { Self.killGroup(of: pid, signal: SIGKILL) }
        let status = Self.reap(pid)
        self.status = status
        return status
    }

    private static func killGroup(of pid: Int32, signal: Int32) {
        // The only errors are that the group has already ended and that it never was ours.
        _ = kill(-pid, signal)
    }

    /// waitid(2) that leaves the zombie; false where SIGCHLD is ignored, and nothing is left.
    private static func waitForEnd(_ pid: Int32) -> Bool {
        var information = siginfo_t()
        do throws(Errno) {
            try systemCall { waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) }
            return true
        } catch {
            return false
        }
    }

    private static func reap(_ pid: Int32) -> ExitStatus {
        var status: Int32 = 0
        do throws(Errno) {
            try systemCall { waitpid(pid, &status, 0) }
            return ExitStatus(waitStatus: status)
        } catch {
            return .unknown
        }
    }
}

private func spawnProcess(
    _ path: UnsafePointer<CChar>, _ arguments: CStrings, _ environment: CStrings, _ descriptor: Int32, as number: Int32
) throws(Errno) -> Int32 {
    var attributes = posix_spawnattr_t()
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    try check(posix_spawnattr_setsigmask(&attributes, &none))
    try check(posix_spawnattr_setsigdefault(&attributes, &all))
    try check(posix_spawnattr_setpgroup(&attributes, 0))
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    try check(posix_spawnattr_setflags(&attributes, Int16(flags)))

    var actions = posix_spawn_file_actions_t()
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The descriptor first: where this process was started without standard streams it may be number 0 or 1 itself.
    try check(posix_spawn_file_actions_adddup2(&actions, descriptor, number))
    if number != 0 { try check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) }
    try check(posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0))
    // Descriptors that this process inherited need not be close-on-exec.
    try check(linux_spawn_close_from(&actions, max(3, number + 1)))

    var pid: Int32 = 0
    try check(posix_spawn(&pid, path, &actions, &attributes, arguments, environment))
    return pid
}

/// The posix_spawn family returns its error instead of setting errno.
private func check(_ error: Int32) throws(Errno) {
    if error != 0 { throw Errno(rawValue: error) }
}

private typealias CStrings = UnsafePointer<UnsafeMutablePointer<CChar>?>

/// Lends C copies of `strings` in an array that ends with NULL.
private func withCStrings<R>(
    _ strings: [String], _ body: (CStrings) throws(Errno) -> R
) throws(Errno) -> R {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return try copies.withUnsafeBufferPointer { (buffer) throws(Errno) -> R in
        guard let start = buffer.baseAddress else { throw .invalidArgument }
        return try body(start)
    }
}
