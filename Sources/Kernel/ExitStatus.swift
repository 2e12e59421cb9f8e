import CLinux

/// How a process ended.
public enum ExitStatus: Equatable, Sendable {
    /// exit(3) with this status.
    case exited(Int32)
    /// Killed by this signal.
    case signalled(Int32)
    /// Nobody can say: the process was reaped elsewhere, as happens where SIGCHLD is ignored.
    case unknown

    /// Reads what waitpid(2) stored.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
    }
}

extension ExitStatus: CustomStringConvertible {
    /// "exited with status 3", "was killed by signal 11 (SIGSEGV)".
    public var description: String {
        switch self {
        case .exited(let status): return "exited with status \(status)"
        case .signalled(let signal):
            guard let name = linux_signal_abbreviation(signal) else { return "was killed by signal \(signal)" }
            return "was killed by signal \(signal) (SIG\(String(cString: name)))"
        case .unknown: return "ended in a way that is not known"
        }
    }
}
