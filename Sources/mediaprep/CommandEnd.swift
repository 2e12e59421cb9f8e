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
        switch self {
        case .success: exit(0)
        case .complaints: exit(1)
        case .usage(let text): leave(2, text)
        case .failure(let text): leave(3, text)
        case .inUse(let text): leave(75, text)
        case .signal(let number):
            // Dying of the signal itself tells a shell that its loop is to end too.
            Glibc.signal(number, SIG_DFL)
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(number)
            exit(128 + number)
        }
    }

    private func leave(_ status: Int32, _ text: String) -> Never {
        try? StandardStream.error.writeAll(Array(text.utf8).span)
        exit(status)
    }
}
