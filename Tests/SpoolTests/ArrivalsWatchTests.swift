import Glibc
import Kernel
import Testing

@testable import Spool

/// What becomes of the watch when the inbox is lost, replaced, or told of too fast.
@Suite struct ArrivalsWatchTests {
    @Test("the first look tells that events work, and then the only work is a look at the directory every 2 s")
    func idle() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        #expect(inbox.told() == [.watching])
        #expect(inbox.arrivals.descriptors.count == 2)
        for _ in 0..<7 {
            #expect(inbox.now.duration(to: inbox.arrivals.deadline) == .seconds(2))
            inbox.pass(.seconds(2))
        }
        // Then the look through the inbox at 30 s comes between.
        #expect(try DirectoryListing(of: FileDescriptor.open(inbox.path, flags: .directory)).entries.isEmpty)
        #expect(inbox.told() == [])
    }

    @Test("an event wakes whoever polls")
    func wakes() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        let descriptors = inbox.arrivals.descriptors
        #expect(try Poll.readable(descriptors, until: .now) == [false, false])
        try inbox.renameIn("a.jpg")
        #expect(try Poll.readable(descriptors, until: .now.advanced(by: .seconds(60))) == [false, true])
    }

    @Test("an inbox that is deleted is news once, and watched again when it is back")
    func deleted() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        _ = inbox.told()
        try inbox.removeDirectory()
        inbox.pass(.zero)
        #expect(inbox.told() == [.inboxUnavailable(inbox.path, .noSuchFileOrDirectory)])
        #expect(inbox.now.duration(to: inbox.arrivals.deadline) == .seconds(1))
        for _ in 0..<5 { inbox.pass(.seconds(1)) }
        #expect(inbox.told() == [])
        #expect(inbox.arrivals.descriptors.count == 1)

        try FileDescriptor.makeDirectory(inbox.path)
        try inbox.copy("early.jpg")
        inbox.pass(.seconds(1))
        #expect(inbox.told() == [.inboxAvailable(inbox.path)])
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["a.jpg"])
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["early.jpg"])
    }

    @Test("an inbox that is renamed away is watched no more, and its successor is")
    func renamedAway() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        _ = inbox.told()
        let away = inbox.root.appending("away")
        try inbox.rename(inbox.path, to: away)
        try FileDescriptor.makeDirectory(inbox.path)
        inbox.pass(.zero)
        #expect(inbox.told() == [.inboxReplaced(inbox.path)])
        try inbox.rename(inbox.prepare("outside"), to: away.appending("stray.jpg"))
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        #expect(inbox.queue.counts.waiting == 1)
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("a directory that is put over the inbox is found within 2 s")
    func replacedWithoutEvent() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        // The inbox as a link, which is turned: like a mount over it, nothing happens to the directory itself.
        let first = inbox.root.appending("first")
        let second = inbox.root.appending("second")
        try FileDescriptor.makeDirectory(first)
        try FileDescriptor.makeDirectory(second)
        try inbox.removeDirectory()
        try inbox.symbolicLink(inbox.path, to: first)
        inbox.pass(.seconds(2))
        _ = inbox.told()
        let turned = inbox.root.appending("turned")
        try inbox.symbolicLink(turned, to: second)
        try inbox.rename(turned, to: inbox.path)
        try inbox.copy("a.jpg")
        inbox.pass(.seconds(2))
        #expect(inbox.told() == [.inboxReplaced(inbox.path)])
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
        try inbox.renameIn("b.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["b.jpg"])
    }

    @Test("a file in the inbox's place is no inbox")
    func notADirectory() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        _ = inbox.told()
        try inbox.removeDirectory()
        _ = try FileDescriptor.open(inbox.path, flags: [.writeOnly, .create])
        inbox.pass(.zero)
        #expect(inbox.told() == [.inboxUnavailable(inbox.path, .notDirectory)])
    }

    @Test("a candidate of an inbox that is gone is kept, and no thread spins over it")
    func lookWithoutInbox() throws {
        let inbox = try ArrivalsInbox()
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        let away = inbox.root.appending("away")
        try inbox.rename(inbox.path, to: away)
        #expect(inbox.taken() == [])
        inbox.pass(.zero)
        #expect(inbox.queue.counts.waiting == 1)
        #expect(inbox.taken() == [])
        try inbox.rename(away, to: inbox.path)
        inbox.pass(.seconds(1))
        #expect(inbox.taken() == ["a.jpg"])
        #expect(
            inbox.told() == [
                .watching, .inboxUnavailable(inbox.path, .noSuchFileOrDirectory), .inboxAvailable(inbox.path),
            ])
    }

    @Test("more events than the kernel keeps: everything is found by looking")
    func overflow() throws {
        let limit = try FileDescriptor.open("/proc/sys/fs/inotify/max_queued_events", flags: .readOnly)
        let text = String(decoding: try limit.readAll(maximumBytes: 32), as: UTF8.self)
        let most = try #require(Int(text.prefix { $0.isNumber }))
        let inbox = try ArrivalsInbox(capacity: 1 << 16, inMemory: true)
        inbox.pass(.zero)
        _ = inbox.told()
        // Each is an event or two.
        let count = most + 1000
        for number in 0..<count { _ = try inbox.open(FilePath("\(number)")) }
        inbox.pass(.zero)
        #expect(inbox.told() == [.overflowed])
        inbox.pass(.seconds(1))
        inbox.pass(.milliseconds(250))
        #expect(inbox.queue.counts == .init(waiting: count, inWork: 0, hasMore: false))
        #expect(Set(inbox.taken()).count == count)
    }

    @Test("silence after the probe is polling, until a probe is answered")
    func silent() throws {
        let inbox = try ArrivalsInbox(ArrivalSettings(ignored: ArrivalsInbox.ignored), reads: false)
        #expect(inbox.told() == [])
        inbox.arrivals.watch.removeWatch()
        inbox.pass(.milliseconds(1500))
        #expect(inbox.told() == [.polling(.silent)])
        try inbox.copy("a.jpg")
        inbox.pass(.seconds(2))
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
        for _ in 0..<15 { inbox.pass(.seconds(2)) }
        #expect(inbox.told() == [.watching])
        try inbox.renameIn("b.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["b.jpg"])
    }

    @Test("an inbox that cannot be watched is polled, and watched when it can be")
    func unwatchable() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        _ = inbox.told()
        // As when inotify_add_watch(2) says so.
        inbox.arrivals.watch.close()
        inbox.arrivals.poll(because: .unwatchable(.tooManyOpenFiles), at: inbox.now)
        inbox.pass(.zero)
        #expect(inbox.told() == [.polling(.unwatchable(.tooManyOpenFiles))])
        #expect(inbox.arrivals.descriptors.count == 1)
        try inbox.renameIn("a.jpg")
        inbox.pass(.seconds(2))
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
        for _ in 0..<14 { inbox.pass(.seconds(2)) }
        #expect(inbox.told() == [.watching])
        #expect(inbox.arrivals.descriptors.count == 2)
    }

    @Test("a probe that a killed process left is removed")
    func oldProbe() throws {
        let inbox = try ArrivalsInbox { path in
            _ = try FileDescriptor.open(path.appending(".mediaprep-probe-1"), flags: [.writeOnly, .create])
        }
        inbox.pass(.zero)
        #expect(try DirectoryListing(of: FileDescriptor.open(inbox.path, flags: .directory)).entries.isEmpty)
    }

    struct Lookalike: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var name: FilePath = ".mediaprep-probe-123"
        var content = ""
        var owner: uid_t?
    }

    @Test(arguments: [
        Lookalike(testDescription: "not empty", content: "x"),
        Lookalike(testDescription: "another user's", owner: 65534),
        Lookalike(testDescription: "no number", name: ".mediaprep-probe-"),
        Lookalike(testDescription: "more than a number", name: ".mediaprep-probe-1.jpg"),
        Lookalike(testDescription: "a number that no process has", name: ".mediaprep-probe-01"),
        Lookalike(testDescription: "a longer one", name: ".mediaprep-probe-12345678901"),
    ])
    func looksLikeAProbe(_ file: Lookalike) throws {
        if file.owner != nil, geteuid() != 0 { return }
        let inbox = try ArrivalsInbox(ArrivalSettings(ignored: [])) { path in
            let made = try FileDescriptor.open(path.appending(file.name), flags: [.writeOnly, .create])
            try made.writeAll(Array(file.content.utf8).span)
            if let owner = file.owner { #expect(fchown(made.rawValue, owner, gid_t.max) == 0) }
        }
        inbox.pass(.zero)
        inbox.pass(.seconds(31))
        #expect(inbox.taken() == [file.name], "it is a file like any other")
    }

    @Test("without patterns the probe is no candidate either")
    func probeWithoutPatterns() throws {
        let inbox = try ArrivalsInbox(ArrivalSettings(ignored: []))
        try inbox.renameIn(".a")
        inbox.pass(.seconds(31))
        #expect(inbox.taken() == [".a"])
        #expect(inbox.queue.counts.waiting == 0)
    }

    @Test("settings are taken over while it runs")
    func reload() throws {
        let inbox = try ArrivalsInbox()
        try inbox.copy("a.part")
        try inbox.copy("b.jpg")
        inbox.pass(.zero)
        _ = inbox.told()
        inbox.arrivals.apply(ArrivalSettings(settle: .seconds(5), watchesEvents: false, ignored: []), at: inbox.now)
        inbox.pass(.zero)
        #expect(inbox.told() == [.polling(.asked)])
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == [])
        inbox.pass(.milliseconds(4750))
        #expect(Set(inbox.taken()) == ["a.part", "b.jpg"])
        try inbox.copy("d.jpg")
        inbox.pass(.seconds(2))
        #expect(inbox.queue.counts.waiting == 1)
        inbox.arrivals.apply(ArrivalSettings(watchesEvents: false, ignored: ["d*"]), at: inbox.now)
        #expect(inbox.queue.counts.waiting == 0)
        inbox.arrivals.apply(ArrivalSettings(ignored: ["d*"]), at: inbox.now)
        inbox.pass(.zero)
        inbox.pass(.zero)
        #expect(inbox.told() == [.watching])
        try inbox.renameIn("c.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["c.jpg"])
    }

    @Test("each piece of news is a sentence")
    func sentences() {
        let all: [ArrivalNews] = [
            .watching, .polling(.asked), .polling(.silent), .polling(.remote),
            .polling(.unwatchable(.tooManyOpenFiles)), .overflowed, .inboxReplaced("/in"),
            .inboxUnavailable("/in", .noSuchFileOrDirectory), .inboxAvailable("/in"),
        ]
        #expect(Set(all.map(\.description)).count == all.count)
        for news in all {
            #expect(news.description.hasSuffix("."))
            #expect(!news.description.contains("\n"))
        }
    }
}
