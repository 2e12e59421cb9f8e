import Kernel

/// One look through the whole inbox, a part at a time, in memory that does not grow with the inbox.
struct InboxScan: ~Copyable {
    let start: MonotonicInstant
    /// The youngest ctime seen, for the next time: what is younger than that has arrived since.
    private(set) var youngest: Int64 = .min
    private let directory: FileDescriptor
    private var stream: DirectoryStream
    private let patterns: NamePatterns
    private let lastYoungest: Int64?
    private var old: OldestNames
    private var new: OldestNames
    private var passedOver = 0

    /// - Parameters:
    ///   - lastYoungest: `youngest` of the last whole look; nil for the first.
    ///   - room: Most names to bring of those that waited already and of those that have arrived since.
    init(
        of inbox: FilePath, leavingOut patterns: NamePatterns, since lastYoungest: Int64?, room: (old: Int, new: Int),
        at now: MonotonicInstant
    ) throws(Errno) {
        let opened = try FileDescriptor.open(inbox, flags: .directory)
        stream = try DirectoryStream(of: opened)
        directory = opened
        start = now
        self.patterns = patterns
        self.lastYoungest = lastYoungest
        old = OldestNames(most: room.old)
        new = OldestNames(most: room.new)
    }

    /// Looks at `count` more names; true at the end.
    mutating func advance(by count: Int, for queue: CandidateQueue, at now: MonotonicInstant) throws(Errno) -> Bool {
        for _ in 0..<count {
            guard let entry = try stream.next() else { return true }
            if ProbeFile.isNamed(entry.name), let status = try status(of: entry.name),
                ProbeFile.isLeftover(entry.name, status)
            {
                // Of a process that died at a bad moment.
                try? FileDescriptor.unlink(entry.name, relativeTo: directory)
                continue
            }
            if patterns.match(entry.name) || queue.alreadyKnows(entry.name) { continue }
            guard let status = try status(of: entry.name) else { continue }
            let candidate = Candidate(name: entry.name, status: status)
            youngest = max(youngest, status.changed)
            if !queue.isRefused(candidate, at: now) { keep(candidate) }
        }
        return false
    }

    /// What is worth keeping, when the end was reached.
    consuming func result() -> FoundNames {
        FoundNames(old: old.sorted(), new: new.sorted(), passedOver: passedOver)
    }

    /// Nil for a name that went away, and for one that cannot be looked at.
    private func status(of name: FilePath) throws(Errno) -> FileStatus? {
        do throws(Errno) {
            return try FileDescriptor.status(of: name, relativeTo: directory)
        } catch .permissionDenied {
            throw .permissionDenied
        } catch {
            return nil
        }
    }

    private mutating func keep(_ candidate: Candidate) {
        var rest: Candidate? = candidate
        if let lastYoungest, candidate.status.changed > lastYoungest { rest = new.insert(candidate) }
        if let candidate = rest, old.insert(candidate) != nil { passedOver += 1 }
    }
}

/// What a look through the inbox brings.
struct FoundNames: Sendable {
    /// Those that waited already, the oldest first.
    var old: [Candidate]
    /// Those that have arrived since the last look, the oldest first.
    var new: [Candidate]
    /// How many there was no room for.
    var passedOver: Int
}

/// The oldest of any number of names.
private struct OldestNames: Sendable {
    private let most: Int
    private var kept = Heap<(age: Age, status: FileStatus)> { $1.age < $0.age }

    init(most: Int) {
        self.most = most
    }

    /// The answer is what there is no room for.
    mutating func insert(_ candidate: Candidate) -> Candidate? {
        let age = Age(modified: candidate.status.modified, name: candidate.name)
        if kept.count < most {
            kept.insert((age, candidate.status))
            return nil
        }
        guard let youngest = kept.first, age < youngest.age else { return candidate }
        let displaced = kept.replaceFirst(with: (age, candidate.status))
        return Candidate(name: displaced.age.name, status: displaced.status)
    }

    consuming func sorted() -> [Candidate] {
        // The heap has the youngest first.
        kept.sorted().reversed().map { Candidate(name: $0.age.name, status: $0.status) }
    }
}
