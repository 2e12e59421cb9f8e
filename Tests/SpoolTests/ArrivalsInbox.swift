import Glibc
import Kernel

@testable import Spool

/// An inbox of a test's own, watched by hand: time passes only when the test says so.
final class ArrivalsInbox {
    let root: FilePath
    let queue: CandidateQueue
    let arrivals: Arrivals
    private(set) var now = MonotonicInstant.now
    private(set) var news: [ArrivalNews] = []

    var path: FilePath { root.appending("inbox") }

    static let ignored = [".*", "*.part", "*.filepart", "*.partial", "*.tmp", "*~", "*.crdownload"]

    /// - Parameters:
    ///   - reads: False to stop after the first step, before any event is read.
    ///   - inMemory: For very many files: on a file system in memory where there is one.
    ///   - fill: Done before anything is watched.
    init(
        _ settings: ArrivalSettings = ArrivalSettings(ignored: ignored), capacity: Int = 8192,
        reads: Bool = true, inMemory: Bool = false, fill: (FilePath) throws -> Void = { _ in }
    ) throws {
        let base = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(base)/mediaprep-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno.current }
        root = FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
        let places = SpoolPlaces(root: root)
        try FileDescriptor.makeDirectory(places.inbox)
        try fill(places.inbox)
        queue = try CandidateQueue(inbox: places.inbox, capacity: capacity)
        arrivals = Arrivals(places: places, settings: settings, queue: queue, at: now)
        news += arrivals.advance(at: now)
        if reads { pass(.zero) }
    }

    deinit {
        removeTree(root)
    }

    /// Lets time pass, and does what is due then.
    func pass(_ time: Duration) {
        now = now.advanced(by: time)
        repeat { news += arrivals.advance(at: now) } while isDue
    }

    private var isDue: Bool {
        if arrivals.deadline <= now { return true }
        return (try? Poll.readable(arrivals.descriptors, until: .now).contains(true)) ?? false
    }

    /// The names that are handed out now, one after the other; they stay in work.
    func taken() -> [FilePath] {
        var names: [FilePath] = []
        while let candidate = queue.take(at: now) { names.append(candidate.name) }
        return names
    }

    /// What was told since this was asked last.
    func told() -> [ArrivalNews] {
        defer { news = [] }
        return news
    }

    // MARK: What producers do

    /// Opened for writing; closed when the answer is let go of.
    func open(_ name: FilePath, flags: OpenFlags = [.writeOnly, .create]) throws -> FileDescriptor {
        try FileDescriptor.open(path.appending(name), flags: flags)
    }

    func copy(_ name: FilePath, _ text: String = "picture") throws {
        let file = try open(name)
        try file.writeAll(Array(text.utf8).span)
    }

    /// A file in the root, outside the inbox.
    func prepare(_ name: FilePath) throws -> FilePath {
        let outside = root.appending(name)
        let file = try FileDescriptor.open(outside, flags: [.writeOnly, .create])
        try file.writeAll([1, 2, 3].span)
        return outside
    }

    func renameIn(_ name: FilePath) throws {
        try rename(prepare("outside"), to: path.appending(name))
    }

    func rename(_ source: FilePath, to target: FilePath) throws {
        try call(source, target) { Glibc.rename($0, $1) }
    }

    func link(_ source: FilePath, to target: FilePath) throws {
        try call(source, target) { Glibc.link($0, $1) }
    }

    func make(_ name: FilePath, by body: (UnsafePointer<CChar>) -> Int32) throws {
        try call(path.appending(name), "") { name, _ in body(name) }
    }

    func symbolicLink(_ name: FilePath, to target: FilePath) throws {
        try call(target, name) { symlink($0, $1) }
    }

    /// The inbox itself.
    func removeDirectory() throws {
        try call(path, "") { path, _ in rmdir(path) }
    }

    func remove(_ name: FilePath) throws {
        try FileDescriptor.unlink(path.appending(name))
    }

    func setModified(_ name: FilePath, seconds: Int) throws {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        try make(name) { utimensat(AT_FDCWD, $0, times, AT_SYMLINK_NOFOLLOW) }
    }
}

private func call(
    _ first: FilePath, _ second: FilePath, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
) throws {
    try first.withCString { (first) throws(Errno) in
        try second.withCString { (second) throws(Errno) in
            if body(first, second) != 0 { throw .current }
        }
    }
}

private func removeTree(_ path: FilePath) {
    if let directory = try? FileDescriptor.open(path, flags: [.directory, .noFollow]) {
        var entries: [DirectoryListing.Entry] = []
        if var stream = try? DirectoryStream(of: directory) {
            while let entry = try? stream.next() { entries.append(entry) }
        }
        for entry in entries {
            if entry.kind == .directory {
                removeTree(path.appending(entry.name))
            } else {
                try? FileDescriptor.unlink(entry.name, relativeTo: directory)
            }
        }
    }
    try? call(path, "") { path, _ in rmdir(path) }
}
