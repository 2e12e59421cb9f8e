internal import Glibc
internal import Kernel

/// How a command ends, and what it leaves on standard error.
enum CommandEnd {
    /// 0: everything was done.
    case success
    /// 1: done, and some files were refused.
    case complaints
    /// 2: the command line cannot be understood; the text says why.
    case usage(String)
    /// 3: the program could not do its own work; the text says why.
    case failure(String)
    /// 75 (EX_TEMPFAIL of sysexits.h): somebody else does the work already; the text says so.
    case inUse(String)
    /// Ended by this signal.
    case signal(Int32)

    func end() -> Never {
        tell()
        if case .signal(let number) = self {
            // Dying of the signal itself tells a shell that its loop is to end too.
            Glibc.signal(number, SIG_DFL)
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(number)
        }
        exit(status)
    }

    /// Ends without what libraries do at the end of a process, which is not for a process whose threads still run.
    func endAtOnce() -> Never {
        tell()
        _exit(status)
    }

    private var status: Int32 {
        switch self {
        case .success: 0
        case .complaints: 1
        case .usage: 2
        case .failure: 3
        case .inUse: 75
        case .signal(let number): 128 + number
        }
    }

    private func tell() {
        switch self {
        case .usage(let text), .failure(let text), .inUse(let text):
            try? StandardStream.error.writeAll(Array(text.utf8).span)
        case .success, .complaints, .signal: break
        }
    }
}
