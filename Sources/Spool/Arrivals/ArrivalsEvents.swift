import Kernel

// What events say of names in the inbox.
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
}
