internal import Configuration
internal import Glibc
internal import Kernel

/// How a command ends, and what it leaves on standard error.
enum CommandEnd {
    /// 0: everything was done.
    case success
    /// 1: done, and there is something to complain of: files that were refused, a service that does not run.
    case complaints
    /// 2: the command line or the settings are wrong; the text says why.
    case usage(String)
    /// 3: the program could not do its own work; the text says why.
    case failure(String)
    /// 75 (EX_TEMPFAIL of sysexits.h): somebody else does the work already; the text says so.
    case inUse(String)
    /// Ended by this signal.
    case signal(Int32)

    /// Says what is wrong with a command line or with settings.
    static func wrongRequest(_ error: any Error, program: String) -> CommandEnd {
        switch error {
        case let error as UsageError: .usage("\(program): \(error.message)\nTry '\(program) --help'.\n")
        case let error as ConfigurationError: .usage(error.problems.map { "\(program): \($0)\n" }.joined())
        default: .failure("\(program): \(error)\n")
        }
    }

    /// Ends the process.
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
