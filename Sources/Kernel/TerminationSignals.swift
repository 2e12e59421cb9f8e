import CLinux
import Glibc

/// Signals as ordinary calls on a thread, instead of handlers that may do next to nothing.
public enum TerminationSignals {
    /// Blocks `numbers` in the calling thread and in those that it starts later, ignores SIGPIPE and SIGXFSZ (the
    /// calls that cause them fail instead), gives SIGCHLD its default meaning (a parent may have had it ignored, and then
    /// no child could be waited for), and starts a thread that calls `handler` for each signal, by sigwait(3).
    ///
    /// To be called once, before the first other thread exists: a thread that does not block the signals would die of
    /// them.
    public static func redirect(
        _ numbers: [Int32], to handler: @escaping @Sendable (_ signal: Int32) -> Void
    ) throws(Errno) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGCHLD, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        let error = pthread_sigmask(SIG_BLOCK, &signals, nil)
        if error != 0 { throw Errno(rawValue: error) }
        let awaited = signals
        let thread = try SystemThread.start {
            var awaited = awaited
            while true {
                var signal: Int32 = 0
                if sigwait(&awaited, &signal) == 0 { handler(signal) }
            }
        }
        thread.detach()
    }
}
