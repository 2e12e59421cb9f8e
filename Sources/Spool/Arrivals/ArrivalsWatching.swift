import Kernel

// Which directory is watched, and what is done when it cannot be watched.
extension Arrivals {
    /// Looks where the inbox's path leads, and follows it.
    func checkDirectory(at now: MonotonicInstant) {
        let status: FileStatus
        do throws(Errno) {
            status = try FileDescriptor.status(following: inbox)
            if status.kind != .directory { throw .notDirectory }
        } catch {
            schedule.checked(at: now, succeeded: false)
            lose(error)
            return
        }
        schedule.checked(at: now, succeeded: true)
        if watch.isStill(status) && (watch.isOn || mode != .events) { return }
        if watch.directory != nil && !watch.isStill(status) {
            tell(.inboxReplaced(inbox))
            // Times of another file system, perhaps by another clock.
            schedule.youngest = nil
        }
        watch.follow(status)
        // Watch first, then look: what arrives in between is seen twice rather than never.
        watchAgain(at: now)
        scan = nil
        schedule.scan = now
    }

    private func lose(_ error: Errno) {
        watch.leave()
        scan = nil
        probe = nil
        schedule.probeEnd = nil
        fail(error)
    }

    // MARK: Whether events work

    func watchAgain(at now: MonotonicInstant) {
        schedule.retry = nil
        if watch.directory == nil { return }
        guard settings.watchesEvents else {
            watch.close()
            enter(.polling(.asked))
            return
        }
        do throws(Errno) {
            if !watch.isOn { try watch.arm() }
        } catch .resourceBusy {
            schedule.checked(at: now, succeeded: false)
            return
        } catch {
            poll(because: .unwatchable(error), at: now)
            return
        }
        if watch.isRemote() {
            enter(.polling(.remote))
        } else {
            sendProbe(at: now)
        }
    }

    private func sendProbe(at now: MonotonicInstant) {
        do throws(Errno) {
            probe = try ProbeFile(in: inbox)
            schedule.probeEnd = now.advanced(by: ArrivalSchedule.probeTime)
        } catch {
            // Nothing can be made in there now, which says nothing about events.
            if mode == .unknown { enter(.events) }
            schedule.retryLater(at: now, after: settings.rescan)
        }
    }

    func probeAnswered() {
        probe = nil
        schedule.probeEnd = nil
        enter(.events)
    }

    func giveUpOnProbe(at now: MonotonicInstant) {
        // The probe stays: its event may be late.
        schedule.probeEnd = nil
        poll(because: .silent, at: now)
    }

    func poll(because reason: ArrivalNews.PollingReason, at now: MonotonicInstant) {
        enter(.polling(reason))
        schedule.retryLater(at: now, after: settings.rescan)
        schedule.scan = min(schedule.scan, now.advanced(by: settings.poll))
    }
}
