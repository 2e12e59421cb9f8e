internal import CSystemd
internal import Kernel

/// What systemd is told, by libsystemd's sd_notify(3); nothing where it did not start us.
struct ServiceManager {
    /// How often the watchdog wants to hear from us; nil when there is none.
    let watchdog: Duration?

    init() {
        var microseconds: UInt64 = 0
        watchdog = sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(microseconds) : nil
    }

    func ready(_ status: String) { tell("READY=1\nSTATUS=\(status)") }

    func reloading(at now: MonotonicInstant) { tell("RELOADING=1\nMONOTONIC_USEC=\(now.microseconds)") }

    func stopping() { tell("STOPPING=1\nSTATUS=finishing what is in work") }

    func status(_ status: String) { tell("STATUS=\(status)") }

    func alive() { tell("WATCHDOG=1") }

    private func tell(_ state: String) {
        // Nobody to tell is no error, and a manager that does not listen is its own matter.
        sd_notify(0, state)
    }
}
