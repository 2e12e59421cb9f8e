public import Kernel
internal import Glibc
internal import Synchronization

/// What signals ask of a service: SIGTERM and SIGINT to stop, a second one to stop at once, SIGHUP to read the settings
/// again.
public final class ServiceSignals: Sendable {
    /// Nothing further is to be begun.
    let stop: StopFlag
    /// What is in work is to be given back.
    let abandon: StopFlag
    /// Something to poll(2) for besides: the settings are to be read again.
    let reload: EventFlag
    private let isReloadAsked = Atomic(false)

    /// Takes the signals over; to be made before the first other thread exists.
    public init() throws(Errno) {
        stop = try StopFlag()
        abandon = try StopFlag()
        reload = try EventFlag()
        try TerminationSignals.redirect([SIGINT, SIGTERM, SIGHUP]) { [self] signal in
            if signal == SIGHUP {
                isReloadAsked.store(true, ordering: .releasing)
                reload.set()
            } else if stop.isSet {
                abandon.set()
            } else {
                stop.set()
            }
        }
    }

    /// True once for each wish, or several of them, to read the settings again.
    func takeReload() -> Bool {
        // Before the wish is taken, and whether there is one or not: a signal may come between any two of these steps,
        // and neither must a wish lie here with nothing to wake for it, nor a wake that nobody resets.
        reload.reset()
        return isReloadAsked.exchange(false, ordering: .acquiring)
    }
}
