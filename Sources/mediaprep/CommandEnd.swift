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

    /// - Parameter leavesThreads: whether threads may still be at work. Then it ends without what exit(3) does first:
    ///   libraries take down what such a thread stands on, and the file that it has in hand is blamed for its crash.
    func end(leavesThreads: Bool = false) -> Never {
        let leave = leavesThreads ? _exit : exit
        switch self {
        case .success: leave(0)
        case .complaints: leave(1)
        case .usage(let text): tell(text, then: leave, 2)
        case .failure(let text): tell(text, then: leave, 3)
        case .inUse(let text): tell(text, then: leave, 75)
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

    private func tell(_ text: String, then leave: (Int32) -> Never, _ status: Int32) -> Never {
        try? StandardStream.error.writeAll(Array(text.utf8).span)
        leave(status)
    }
}
