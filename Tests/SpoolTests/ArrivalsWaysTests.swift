import Glibc
import Kernel
import Testing

@testable import Spool

/// The ways into the inbox, and when what comes that way is handed out.
@Suite struct ArrivalsWaysTests {
    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// How long after it the file is not handed out, and after which it is.
        let quiet: Duration
        let arrive: @Sendable (ArrivalsInbox) throws -> Void
    }

    private static let settle = Duration.milliseconds(250)

    static let ways = [
        Way(testDescription: "renamed in", quiet: .zero) { try $0.renameIn("a.jpg") },
        Way(testDescription: "renamed over an existing one", quiet: .zero) {
            try $0.copy("a.jpg", "old")
            try $0.renameIn("a.jpg")
        },
        Way(testDescription: "renamed from an ignored name", quiet: .zero) {
            try $0.copy("a.jpg.part")
            try $0.rename($0.path.appending("a.jpg.part"), to: $0.path.appending("a.jpg"))
        },
        Way(testDescription: "renamed from rsync's temporary name", quiet: .zero) {
            try $0.copy(".a.jpg.Xy12Zq")
            try $0.rename($0.path.appending(".a.jpg.Xy12Zq"), to: $0.path.appending("a.jpg"))
        },
        Way(testDescription: "copied", quiet: settle) { try $0.copy("a.jpg") },
        Way(testDescription: "made empty", quiet: settle) { _ = try $0.open("a.jpg") },
        Way(testDescription: "hard-linked in", quiet: settle) {
            try $0.link($0.prepare("outside"), to: $0.path.appending("a.jpg"))
        },
        Way(testDescription: "made without a name, then linked in", quiet: settle) { inbox in
            let file = try inbox.open(".", flags: OpenFlags(rawValue: O_WRONLY | __O_TMPFILE | O_DIRECTORY))
            try file.writeAll([1].span)
            let source = "/proc/self/fd/\(file.rawValue)"
            try inbox.make("a.jpg") { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
        },
        Way(testDescription: "a FIFO", quiet: .zero) { try $0.make("a.jpg") { mkfifo($0, 0o600) } },
        Way(testDescription: "a symbolic link", quiet: .zero) { try $0.make("a.jpg") { symlink("/etc/passwd", $0) } },
    ]

    @Test("each way in is seen by events", arguments: ways)
    func byEvents(_ way: Way) throws {
        let inbox = try ArrivalsInbox()
        try way.arrive(inbox)
        inbox.pass(.zero)
        if way.quiet > .zero {
            #expect(inbox.taken() == [])
            inbox.pass(way.quiet - .nanoseconds(1))
            #expect(inbox.taken() == [])
            inbox.pass(.nanoseconds(1))
        }
        #expect(inbox.taken() == ["a.jpg"])
        inbox.pass(.seconds(120))
        #expect(inbox.taken() == [])
        inbox.queue.finished("a.jpg", again: false)
    }

    @Test("each way in is seen without events, by looking", arguments: ways)
    func byPolling(_ way: Way) throws {
        let inbox = try ArrivalsInbox(
            ArrivalSettings(poll: .seconds(2), watchesEvents: false, ignored: ArrivalsInbox.ignored))
        #expect(inbox.told() == [.polling(.asked)])
        #expect(inbox.arrivals.descriptors.count == 1)
        try way.arrive(inbox)
        inbox.pass(.seconds(2))
        // Nothing tells a rename from the rest.
        inbox.pass(Self.settle)
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("each way in before the start is found", arguments: ways)
    func beforeTheStart(_ way: Way) throws {
        let inbox = try ArrivalsInbox()
        try way.arrive(inbox)
        let second = Arrivals(
            places: SpoolPlaces(root: inbox.root), settings: inbox.arrivals.settings, queue: inbox.queue, at: inbox.now)
        for _ in 0..<3 { _ = second.advance(at: inbox.now) }
        _ = second.advance(at: inbox.now.advanced(by: Self.settle))
        #expect(inbox.queue.take(at: inbox.now.advanced(by: Self.settle))?.name == "a.jpg")
    }

    @Test("a file written slowly is not taken before its last close has settled")
    func slowly() throws {
        let inbox = try ArrivalsInbox()
        var file = try inbox.open("a.jpg")
        for _ in 0..<100 {
            try file.writeAll([1].span)
            inbox.pass(.seconds(3))
            #expect(inbox.taken() == [])
        }
        // Closed, and opened again to go on: an upload that is resumed.
        file = try inbox.open("a.jpg")
        inbox.pass(.milliseconds(100))
        try file.writeAll([2].span)
        inbox.pass(.milliseconds(200))
        #expect(inbox.taken() == [])
        try file.close()
        inbox.pass(.milliseconds(0))
        inbox.pass(.milliseconds(249))
        #expect(inbox.taken() == [])
        inbox.pass(.milliseconds(1))
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("a file changed between the looks waits anew")
    func changed() throws {
        let inbox = try ArrivalsInbox()
        try inbox.copy("a.jpg")
        inbox.pass(.milliseconds(0))
        try inbox.setModified("a.jpg", seconds: 1)
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == [])
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("a file renamed in that somebody still writes to waits for the last close")
    func renamedWhileWritten() throws {
        let inbox = try ArrivalsInbox()
        let file = try inbox.open(".a.jpg")
        try inbox.rename(inbox.path.appending(".a.jpg"), to: inbox.path.appending("a.jpg"))
        inbox.pass(.zero)
        #expect(inbox.taken() == [])
        inbox.pass(.seconds(100))
        #expect(inbox.taken() == [])
        try file.close()
        inbox.pass(.zero)
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("several names of one file do not wait for each other")
    func manyNames() throws {
        let inbox = try ArrivalsInbox()
        let file = try inbox.prepare("outside")
        for name in ["a", "b", "c", "d"] { try inbox.link(file, to: inbox.path.appending(FilePath(name))) }
        inbox.pass(.zero)
        inbox.pass(.milliseconds(250))
        for name in ["a", "b", "c", "d"] {
            #expect(inbox.queue.take(at: inbox.now)?.name == FilePath(name))
            try inbox.remove(FilePath(name))
        }
    }

    @Test("a name that goes away before it is ready is forgotten")
    func deleted() throws {
        let inbox = try ArrivalsInbox()
        try inbox.copy("a.jpg")
        try inbox.renameIn("b.jpg")
        inbox.pass(.zero)
        try inbox.remove("a.jpg")
        try inbox.remove("b.jpg")
        inbox.pass(.seconds(1))
        #expect(inbox.taken() == [])
        #expect(inbox.queue.counts == .init(waiting: 0, inWork: 0, hasMore: false))
    }

    @Test("names of files that are being written are never looked at")
    func ignored() throws {
        let inbox = try ArrivalsInbox { path in
            _ = try FileDescriptor.open(path.appending("early.part"), flags: [.writeOnly, .create])
        }
        for name: FilePath in [".a", "a.part", "a.filepart", "a.tmp", "a~", ".a.jpg.Xy12Zq", "a.crdownload"] {
            try inbox.copy(name)
        }
        inbox.pass(.seconds(60))
        #expect(inbox.queue.counts.waiting == 0)
        #expect(inbox.taken() == [])
    }

    @Test("names are bytes")
    func bytes() throws {
        let inbox = try ArrivalsInbox()
        let names = [
            FilePath(bytes: [0xFF, 0xFE]), "a\nb", "\u{1b}[2J", "-rf", "a..b",
            FilePath(bytes: [UInt8](repeating: 0x61, count: 255)),
        ]
        for name in names { try inbox.renameIn(name) }
        inbox.pass(.zero)
        #expect(inbox.taken() == names)
    }

    @Test("a candidate tells what the name stood for")
    func status() throws {
        let inbox = try ArrivalsInbox()
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        let candidate = try #require(inbox.queue.take(at: inbox.now))
        #expect(candidate.status == (try FileDescriptor.status(of: inbox.path.appending("a.jpg"))))
    }
}
