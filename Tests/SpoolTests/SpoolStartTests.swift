import Kernel
import Testing

@testable import Spool

@Suite struct SpoolStartTests {
    let root: SpoolRoot

    init() throws {
        root = try SpoolRoot()
    }

    @Test("directories that are missing are created, with those above them")
    func creates() throws {
        let deep = SpoolPlaces(root: root.path.appending("a/b"), inbox: root.path.appending("c/in"))
        _ = try Spool(deep, syncs: true, longestFile: longestFile)
        #expect(
            root.tree() == [
                "a/b/done/", "a/b/lock", "a/b/outbox/.index/", "a/b/outbox/.lock", "a/b/outbox/.notify/",
                "a/b/outbox/.tmp/",
                "a/b/outbox/media/", "a/b/rejected/", "a/b/work/", "c/in/",
            ])
    }

    @Test("a second start is refused while the first lives, and not afterwards")
    func locks() throws {
        do {
            let first = try root.spool()
            let failure = #expect(throws: SpoolFailure.self) { try root.spool() }
            #expect(failure?.kind == .inUse)
            #expect(failure?.path == root.path.appending("lock"))
            withExtendedLifetime(first) {}
        }
        _ = try root.spool()
    }

    @Test("two roots with one outbox would sweep each other's files: the second is refused while the first lives")
    func outboxLocks() throws {
        let outbox = root.path.appending("outbox")
        let other = SpoolPlaces(root: root.path.appending("other"), outbox: outbox)
        do {
            let first = try root.spool()
            let failure = #expect(throws: SpoolFailure.self) {
                try Spool(other, syncs: true, longestFile: longestFile)
            }
            #expect(failure?.kind == .inUse)
            #expect(failure?.path == outbox.appending(".lock"))
            #expect(failure?.description.contains("works in \(outbox);") == true)
            withExtendedLifetime(first) {}
        }
        _ = try Spool(other, syncs: true, longestFile: longestFile)
    }

    struct Nesting: CustomTestStringConvertible, Sendable {
        let name: String
        let inbox: FilePath?
        let outbox: FilePath?
        var isRefused = true
        var testDescription: String { name }
    }

    @Test(arguments: [
        Nesting(name: "the outbox in the inbox", inbox: "in", outbox: "in/out"),
        Nesting(name: "the inbox in the outbox", inbox: "out/in", outbox: "out"),
        Nesting(name: "the same", inbox: "in", outbox: "in"),
        Nesting(name: "the same in another spelling", inbox: "in", outbox: "./x/../in"),
        Nesting(name: "the inbox is the root", inbox: ".", outbox: nil),
        Nesting(name: "the outbox is the root", inbox: nil, outbox: "."),
        Nesting(name: "the inbox is above the root", inbox: "..", outbox: nil),
        Nesting(name: "the inbox is in work", inbox: "work/in", outbox: nil),
        Nesting(name: "the outbox is done", inbox: nil, outbox: "done"),
        Nesting(name: "the outbox is in rejected, far below", inbox: nil, outbox: "rejected/a/b/c"),
        Nesting(name: "through a symbolic link", inbox: "in", outbox: "link/out"),
        Nesting(name: "beside each other", inbox: "a/in", outbox: "a/out", isRefused: false),
        Nesting(name: "one name starts like the other", inbox: "a/in", outbox: "a/inbox", isRefused: false),
    ])
    func nesting(_ nesting: Nesting) throws {
        try root.makeDirectory("x")
        try root.makeDirectory("in")
        try root.makeSymbolicLink("link", to: "in")
        let places = SpoolPlaces(
            root: root.path, inbox: nesting.inbox.map { root.path.appending($0) },
            outbox: nesting.outbox.map { root.path.appending($0) })
        if nesting.isRefused {
            let before = root.tree()
            let failure = #expect(throws: SpoolFailure.self) {
                try Spool(places, syncs: true, longestFile: longestFile)
            }
            guard case .nested = failure?.kind else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(root.tree() == before, "nothing is created")
        } else {
            _ = try Spool(places, syncs: true, longestFile: longestFile)
        }
    }

    @Test("an inbox that does not exist yet is compared by where it would be")
    func missing() throws {
        let places = SpoolPlaces(
            root: root.path, inbox: root.path.appending("new/in"), outbox: root.path.appending("new/in/out"))
        let failure = #expect(throws: SpoolFailure.self) { try Spool(places, syncs: true, longestFile: longestFile) }
        #expect(failure?.kind == .nested(in: places.inbox))
        #expect(root.tree().isEmpty)
    }

    @Test("a file where a directory belongs is a failure that names it")
    func fileInTheWay() throws {
        try root.write("", to: "work")
        let failure = #expect(throws: SpoolFailure.self) { try root.spool() }
        #expect(failure?.path == root.path.appending("work"))
        #expect(failure?.error == .notDirectory)
    }

    @Test("every failure is one sentence with a way out")
    func sentences() {
        let failures: [(SpoolFailure, String)] = [
            (
                SpoolFailure("/r/outbox", .noSpace),
                "/r/outbox: No space left on device; free space or inodes there."
            ),
            (
                SpoolFailure("/r/a\nb", .permissionDenied),
                #"/r/a\nb: Permission denied; give the service's user the right to read and write there."#
            ),
            (
                .inUse("/r/lock"),
                "/r/lock is locked: another mediaprep works in /r; stop it or choose another place."
            ),
            (.nested("/r/in/out", in: "/r/in"), "/r/in/out lies in /r/in; give each directory a place of its own."),
            (.nested("/r/in", in: "/r/in"), "/r/in serves two purposes; give each directory a place of its own."),
        ]
        for (failure, sentence) in failures { #expect(failure.description == sentence) }
    }

    @Test("ids rise, above those that were found")
    func ids() throws {
        try root.write("x", to: "work/7fffffffffffff00.a1/a")
        try root.write("x", to: "inbox/b")
        let spool = try root.spool()
        let claim = try spool.take("b", in: root)
        #expect(claim.id > (ClaimID("7fffffffffffff00") ?? claim.id))
        _ = try spool.end(claim, as: .left)
        let ids = ClaimIDs()
        let made = (0..<1000).map { _ in ids.next() }
        #expect(made == Array(Set(made)).sorted())
        ids.startAbove(ClaimID(value: .max))
        #expect(ids.next() < ids.next(), "the highest number that somebody made up ends nothing")
    }

    @Test(arguments: [
        ("0123456789abcdef.a1", true), ("0123456789abcdef.a0", true), ("0123456789abcdef.crashed", true),
        ("0123456789abcdef.copy", true), ("0123456789abcdef.a01", false), ("0123456789abcdef.a-1", false),
        ("0123456789abcdef.a+1", false), ("0123456789abcdef.a", false), ("0123456789abcdef.a1000", false),
        ("0123456789ABCDEF.a1", false), ("123456789abcdef.a1", false), ("0123456789abcdef", false),
        ("0123456789abcdef.a1.b", false), ("0123456789abcdef.a99999999999999999999", false), ("", false), (".", false),
    ])
    func directoryNames(_ name: String, isOurs: Bool) {
        #expect((ClaimDirectory(FilePath(name)) != nil) == isOurs)
    }
}
