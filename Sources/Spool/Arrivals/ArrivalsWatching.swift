import Kernel

// How arrivals are noticed by events, and what is done when there are none.
extension Arrivals {
    /// Events read at once: the rest is readable still.
    private static var batches: Int { 16 }

    func readEvents(at now: MonotonicInstant) {
        var signs = Signs()
        for _ in 0..<Self.batches {
            do throws(Errno) {
                guard let events = try watch.read() else { break }
                for event in events { take(event, into: &signs, at: now) }
            } catch {
                watch.close()
                poll(because: .unwatchable(error), at: now)
                break
            }
        }
        if signs.overflowed {
            tell(.overflowed)
            wantScan(at: now)
        }
        announce(signs, at: now)
    }

    /// Names that events told of, in the order of the first event of each.
    private struct Signs {
        var names: [FilePath] = []
        var appearances: [FilePath: Appearance] = [:]
        var overflowed = false

        mutating func add(_ name: FilePath, as how: Appearance) {
            if let known = appearances[name] {
                appearances[name] = known.followed(by: how)
            } else {
                names.append(name)
                appearances[name] = how
            }
        }
    }

    private func take(_ event: Inotify.Event, into signs: inout Signs, at now: MonotonicInstant) {
        if probe != nil && !event.name.isEmpty { probeAnswered() }
        switch event.change {
        case .overflowed: signs.overflowed = true
        case .directoryMoved, .watchEnded: schedule.check = now
        case .created: add(event.name, as: .created, to: &signs)
        case .closed: add(event.name, as: .closed, to: &signs)
        case .renamedIn: add(event.name, as: .renamed, to: &signs)
        }
    }

    private func add(_ name: FilePath, as how: Appearance, to signs: inout Signs) {
        if name.isEmpty || ProbeFile.isNamed(name) || patterns.match(name) { return }
        signs.add(name, as: how)
    }

    /// Takes the first look at each name, but for those renamed in, which need no time to settle.
    private func announce(_ signs: Signs, at now: MonotonicInstant) {
        if signs.names.isEmpty { return }
        guard let directory = try? FileDescriptor.open(inbox, flags: .directory) else {
            // Found again by the look through the inbox that follows whatever is wrong.
            wantScan(at: now)
            return
        }
        for name in signs.names {
            guard let how = signs.appearances[name] else { continue }
            if how == .renamed {
                queue.arrive(name, as: how, status: nil, at: now)
            } else if let status = try? FileDescriptor.status(of: name, relativeTo: directory) {
                queue.arrive(name, as: how, status: status, at: now)
            }
        }
    }

    // MARK: Which directory

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
            schedule.retry = now.advanced(by: settings.rescan)
        }
    }

    private func probeAnswered() {
        probe = nil
        schedule.probeEnd = nil
        enter(.events)
    }

    func giveUpOnProbe(at now: MonotonicInstant) {
        // The probe stays: its event may be late.
        schedule.probeEnd = nil
        poll(because: .silent, at: now)
    }

    private func poll(because reason: ArrivalNews.PollingReason, at now: MonotonicInstant) {
        enter(.polling(reason))
        schedule.retry = now.advanced(by: settings.rescan)
        schedule.scan = min(schedule.scan, now.advanced(by: settings.poll))
    }

    // MARK: Looking through the inbox

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
                of: inbox, leavingOut: patterns, since: schedule.youngest, room: queue.room, at: now)
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
