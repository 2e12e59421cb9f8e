public import Configuration
internal import Glibc
internal import Kernel
internal import Spool

extension ServiceStatus {
    /// Looks at the directories of `settings`, which it does not change.
    public init(of settings: ServeSettings, at time: UTCTime = .now) {
        let places = SpoolPlaces(root: settings.root, inbox: settings.inbox, outbox: settings.outbox)
        let root: FileDescriptor
        do throws(Errno) {
            root = try FileDescriptor.open(places.root, flags: .directory)
        } catch {
            faults.append("the root \(places.root) cannot be read: \(error)")
            return
        }
        state = ServiceState.read(in: root)
        do throws(Errno) {
            pid = try RunningService.holder(in: root, claimed: state?.pid)
        } catch {
            faults.append("whether the service runs cannot be told: /proc/locks: \(error)")
        }
        // What an earlier run complained of is over, one way or the other.
        if let state, state.pid == pid { faults += state.faults }
        if let state, state.day == time.day { today = state.today }
        surveyInbox(places.inbox, ignored: settings.ignoredNames, at: time)
        surveyWork(places.root.appending("work"))
        surveyRejected(places.root.appending("rejected"), at: time)
        var pending = 0
        walk(places.outbox.appending(".notify"), "the notify queue") { _, _ in pending += 1 }
        notifyPending = pending
    }

    private mutating func surveyInbox(_ path: FilePath, ignored patterns: [String], at time: UTCTime) {
        var found = Inbox()
        var oldest: Int64?
        walk(path, "the inbox", mayBeMissing: false) { name, directory in
            if patterns.contains(where: { Self.matches(name, $0) }) {
                found.ignored += 1
            } else if let status = try? FileDescriptor.status(of: name, relativeTo: directory) {
                found.waiting += 1
                oldest = min(oldest ?? .max, status.modified)
            }
        }
        found.oldestSeconds = oldest.map { time.age(ofNanoseconds: $0) }
        inbox = found
    }

    private mutating func surveyWork(_ path: FilePath) {
        var found = Work()
        walk(path, "the work directory") { name, directory in
            guard var claim = Claim(directoryName: name) else { return }
            found.count += 1
            // Ids rise, so that the lowest are the oldest.
            let position = found.claims.firstIndex { $0.id > claim.id } ?? found.claims.endIndex
            guard position < Self.mostClaims else { return }
            if let inner = try? FileDescriptor.openBeneath(name, relativeTo: directory, flags: .directory) {
                var file: FilePath?
                // A file that is being copied has a name of the spool's beside its own place.
                try? DirectoryWalk.each(in: inner) { entry in
                    if file == nil || entry.bytes.first != UInt8(ascii: ".") { file = entry }
                }
                claim.name = file?.display
            }
            found.claims.insert(claim, at: position)
            if found.claims.count > Self.mostClaims { found.claims.removeLast() }
        }
        work = found
    }

    private mutating func surveyRejected(_ path: FilePath, at time: UTCTime) {
        var found = Kept()
        var oldest: Int64?
        walk(path, "the directory of refused files") { name, directory in
            // A refused file may itself be called so; then it has a manifest of its own.
            let isManifest =
                name.bytes.suffix(5) == Array(".json".utf8)[...]
                && (try? FileDescriptor.status(
                    of: FilePath(bytes: name.bytes + Array(".json".utf8)), relativeTo: directory)) == nil
            guard !isManifest, let status = try? FileDescriptor.status(of: name, relativeTo: directory) else { return }
            found.count += 1
            // Moving a file there changed its inode and not its content.
            oldest = min(oldest ?? .max, status.changed)
        }
        found.oldestSeconds = oldest.map { time.age(ofNanoseconds: $0) }
        rejected = found
    }

    private mutating func walk(
        _ path: FilePath, _ what: String, mayBeMissing: Bool = true,
        _ visit: (FilePath, borrowing FileDescriptor) -> Void
    ) {
        do throws(Errno) {
            let directory = try FileDescriptor.open(path, flags: .directory)
            try DirectoryWalk.each(in: directory) { visit($0, directory) }
        } catch .noSuchFileOrDirectory where mayBeMissing {
        } catch {
            faults.append("\(what) \(path) cannot be read: \(error)")
        }
    }

    private static let mostClaims = 100

    private static func matches(_ name: FilePath, _ pattern: String) -> Bool {
        (try? name.withCString { (name) throws(Errno) in fnmatch(pattern, name, 0) }) == 0
    }
}

extension ServiceStatus.Claim {
    /// Reads `<16 hex digits>.a<N>` and `<16 hex digits>.crashed`; nil for what is no claim.
    init?(directoryName name: FilePath) {
        let parts = String(decoding: name.bytes, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 16,
            parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        id = String(parts[0])
        if parts[1] == "crashed" { return }
        guard parts[1].first == "a", let number = Int(parts[1].dropFirst()), number >= 0 else { return nil }
        attempts = number
    }
}
