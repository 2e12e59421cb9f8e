public import Configuration
internal import Kernel
internal import Spool

extension ServiceStatus {
    /// Looks at the directories of `settings`, which it does not change.
    public init(of settings: ServeSettings) {
        self.init(of: settings, at: .now)
    }

    /// Looks at the directories of `settings`; ages and the day are counted from `time`.
    init(of settings: ServeSettings, at time: UTCTime) {
        let places = settings.places
        let root: FileDescriptor
        do throws(Errno) {
            root = try FileDescriptor.open(places.root, flags: .directory)
        } catch {
            faults.append("the root \(places.root) cannot be read: \(error)")
            return
        }
        state = ServiceState.read(in: root)
        do throws(Errno) {
            pid = try RunningService.holder(ofLockAt: places.lock, claimed: state?.pid)
        } catch {
            faults.append("whether the service runs cannot be told: /proc/locks: \(error)")
        }
        // What an earlier run complained of is over, one way or the other.
        if let state, state.pid == pid { faults += state.faults }
        if let state, state.day == time.day { today = state.today }
        surveyInbox(places.inbox, ignored: NamePatterns(settings.ignoredNames), at: time)
        surveyWork(places.work)
        surveyRejected(places.rejected, at: time)
        var pending = 0
        walk(places.notices, "the notify queue") { _, _ in pending += 1 }
        notifyPending = pending
    }

    private mutating func surveyInbox(_ path: FilePath, ignored patterns: NamePatterns, at time: UTCTime) {
        var found = Inbox()
        var oldest: Int64?
        walk(path, "the inbox", mayBeMissing: false) { name, directory in
            if patterns.match(name) {
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
            // What is being copied is still in the inbox too.
            guard let claimed = ClaimDirectory(name), claimed.state != .copying else { return }
            found.count += 1
            var claim = Claim(id: claimed.id.description)
            if case .attempt(let number) = claimed.state { claim.attempts = number }
            // Ids rise, so that the lowest are the oldest.
            let position = found.claims.firstIndex { $0.id > claim.id } ?? found.claims.endIndex
            guard position < Self.mostClaims else { return }
            claim.name = Self.file(in: name, relativeTo: directory)?.display
            found.claims.insert(claim, at: position)
            if found.claims.count > Self.mostClaims { found.claims.removeLast() }
        }
        work = found
    }

    /// The one file of a claim; nil while it is being moved.
    private static func file(in name: FilePath, relativeTo work: borrowing FileDescriptor) -> FilePath? {
        do throws(Errno) {
            let directory = try FileDescriptor.openBeneath(name, relativeTo: work, flags: .directory)
            var stream = try DirectoryStream(of: directory)
            return try stream.next()?.name
        } catch {
            return nil
        }
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
            var stream = try DirectoryStream(of: directory)
            while let entry = try stream.next() { visit(entry.name, directory) }
        } catch .noSuchFileOrDirectory where mayBeMissing {
        } catch {
            faults.append("\(what) \(path) cannot be read: \(error)")
        }
    }

    private static let mostClaims = 100
}
