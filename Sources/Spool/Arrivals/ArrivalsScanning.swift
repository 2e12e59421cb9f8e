import Kernel

// Looking through the inbox, which finds everything.
extension Arrivals {
    /// Names looked at in one call: some milliseconds' worth.
    private static var namesAtOnce: Int { 2048 }

    func advanceScan(at now: MonotonicInstant) {
        if scan == nil {
            if schedule.scan > now || watch.directory == nil { return }
            beginScan(at: now)
        }
        do throws(Errno) {
            guard try scan?.advance(by: Self.namesAtOnce, for: queue, at: now) ?? false else { return }
        } catch {
            scan = nil
            schedule.scanFailed(at: now)
            fail(error)
            return
        }
        guard let ended = scan.take() else { return }
        finish(ended, at: now)
    }

    private func beginScan(at now: MonotonicInstant) {
        do throws(Errno) {
            scan = try InboxScan(
                of: inbox, leavingOut: patterns, since: schedule.youngest, room: queue.beginLook(), at: now)
        } catch {
            schedule.scanFailed(at: now)
            fail(error)
        }
    }

    private func finish(_ scan: consuming InboxScan, at now: MonotonicInstant) {
        schedule.scanned(from: scan.start, to: now, every: isPolling ? settings.poll : settings.rescan)
        schedule.youngest = max(schedule.youngest ?? .min, scan.youngest)
        queue.found(scan.result(), at: now)
        if trouble != nil { tell(.inboxAvailable(inbox)) }
        trouble = nil
    }

    private var isPolling: Bool {
        if case .polling = mode { return true }
        return false
    }
}
