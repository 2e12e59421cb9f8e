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

    /// Prints to standard output, and ends with success or with what kept it from that.
    static func printing(_ bytes: [UInt8], program: String) -> CommandEnd {
        do throws(Errno) {
            try StandardStream.output.writeAll(bytes.span)
        } catch {
            return .failure("\(program): cannot write standard output: \(error)\n")
        }
        return .success
    }

    /// Ends the process.
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

    /// Ends without what libraries do at the end of a process, which is not for a process that has threads: one in 200
    /// services crashed over a thread that was about to end itself, and whose library was taken down by exit(3).
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
