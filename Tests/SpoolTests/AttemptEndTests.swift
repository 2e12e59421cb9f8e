import Glibc
import Kernel
import Testing

@testable import Spool

/// An attempt that ended well before anything of it was published.
@Suite struct AttemptEndTests {
    @Test("a claim whose attempt has ended does not count that attempt, and goes on as before")
    func ended() throws {
        let root = try SpoolRoot()
        let spool = try root.spool()
        try root.write("text", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        let id = claim.id
        #expect(root.tree() == ["work/ID.a1/a.jpg"])
        let ended = spool.endAttempt(of: claim)
        #expect(root.tree() == ["work/ID.a0/a.jpg"])
        #expect(ended.id == id && ended.name == "a.jpg" && ended.kind == .regular)
        #expect(ended.attempts == 0)
        let text = try ended.open().readAll(maximumBytes: 100)
        #expect(text == Array("text".utf8))
        try spool.publish(manifest: [1].span, of: ended, notifies: true)
        #expect(try spool.end(ended, as: .done(digest: nil)) == .done("a.jpg"))
        #expect(root.tree() == ["done/a.jpg", "outbox/.notify/ID", "outbox/a.jpg.json"])
    }

    struct End: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var end: ClaimEnd
        var tree: [String]
    }

    @Test(arguments: [
        End(testDescription: "done", end: .done(digest: nil), tree: ["done/a.jpg"]),
        End(testDescription: "deleted", end: .deleted, tree: []),
        End(
            testDescription: "rejected", end: .rejected(manifest: [1], digest: nil),
            tree: ["rejected/a.jpg", "rejected/a.jpg.json"]),
        End(testDescription: "put back", end: .putBack, tree: ["inbox/a.jpg"]),
        End(testDescription: "left", end: .left, tree: ["work/ID.a0/a.jpg"]),
    ])
    func ends(_ test: End) throws {
        let root = try SpoolRoot()
        let spool = try root.spool()
        try root.write("text", to: "inbox/a.jpg")
        _ = try spool.end(spool.endAttempt(of: spool.take("a.jpg", in: root)), as: test.end)
        #expect(root.tree() == test.tree)
    }

    @Test("it is resumed as one that was never tried, however often it was killed afterwards")
    func resumed() throws {
        let root = try SpoolRoot()
        try root.write("text", to: "inbox/a.jpg")
        do {
            let spool = try root.spool()
            let claim = spool.endAttempt(of: try spool.take("a.jpg", in: root))
            // As a kill leaves it.
            claim.progress.isSettled = true
        }
        for _ in 0..<3 {
            let spool = try root.spool()
            let entry = try #require(try spool.recover().claims.first)
            #expect(entry.attempts == 0 && !entry.hasCrashed)
            let claim = try Self.resume(entry, in: spool)
            #expect(claim.attempts == 1)
            #expect(root.tree() == ["work/ID.a1/a.jpg"])
            let ended = spool.endAttempt(of: claim)
            #expect(root.tree() == ["work/ID.a0/a.jpg"])
            ended.progress.isSettled = true
        }
    }

    @Test("an attempt of a suspect is taken back whole: nobody died of it")
    func suspect() throws {
        let root = try SpoolRoot()
        try root.write("text", to: "work/0123456789abcdef.a2/a.jpg")
        let spool = try root.spool()
        let entry = try #require(try spool.recover().claims.first)
        let claim = try Self.resume(entry, in: spool)
        #expect(claim.attempts == 3)
        let ended = spool.endAttempt(of: claim)
        #expect(root.tree() == ["work/ID.a0/a.jpg"])
        #expect(try spool.end(ended, as: .done(digest: nil)) == .done("a.jpg"))
    }

    @Test("where it cannot be noted the claim stays as it is, and can still be settled")
    func cannotBeNoted() throws {
        let root = try SpoolRoot()
        let spool = try root.spool()
        try root.write("text", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        // A directory that is not empty cannot be replaced.
        let taken = claim.directory.with(.attempt(0)).name
        try root.write("other", to: FilePath("work").appending(taken).appending("other"))
        let same = spool.endAttempt(of: claim)
        #expect(same.attempts == 1)
        #expect(root.tree() == ["work/ID.a0/other", "work/ID.a1/a.jpg"])
        #expect(try spool.end(same, as: .done(digest: nil)) == .done("a.jpg"))
        #expect(root.tree() == ["done/a.jpg", "work/ID.a0/other"])
    }

    @Test("where the work directory is gone the claim stays as it is")
    func workIsGone() throws {
        let root = try SpoolRoot()
        let spool = try root.spool()
        try root.write("text", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        try root.rename("work", to: "elsewhere")
        let same = spool.endAttempt(of: claim)
        #expect(same.attempts == 1)
        try root.rename("elsewhere", to: "work")
        #expect(try spool.end(same, as: .putBack) == .inbox)
        #expect(root.tree() == ["inbox/a.jpg"])
    }

    @Test("a crash after the end of the attempt is a crash of the claim in hand all the same")
    func crash() async throws {
        let root = try CrashTests.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            let spool = try Spool(SpoolPlaces(root: FilePath(path)), syncs: true, longestFile: longestFile)
            guard let claim = CrashTests.take("mine", spool) else { exit(1) }
            let ended = CrashTests.Handed(spool.endAttempt(of: claim))
            withExtendedLifetime(ended) { abort() }
        }
        #expect(root.tree() == ["inbox/other", "work/ID.crashed/mine"])
    }

    @Test("a crash where the end could not be noted is one too")
    func crashUnnoted() async throws {
        let root = try CrashTests.rootWithTwo()
        let path = String(decoding: root.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            let spool = try Spool(SpoolPlaces(root: FilePath(path)), syncs: true, longestFile: longestFile)
            guard let claim = CrashTests.take("mine", spool) else { exit(1) }
            let work = spool.places.work
            try FileDescriptor.rename(work, to: FilePath("\(work)-away"), in: .currentDirectory)
            let same = CrashTests.Handed(spool.endAttempt(of: claim))
            try FileDescriptor.rename(FilePath("\(work)-away"), to: work, in: .currentDirectory)
            withExtendedLifetime(same) { abort() }
        }
        #expect(root.tree() == ["inbox/other", "work/ID.crashed/mine"])
    }

    private static func resume(_ entry: ClaimEntry, in spool: Spool) throws -> Claim {
        guard let claim = try spool.resume(entry) else { throw Unexpected() }
        return claim
    }
}
