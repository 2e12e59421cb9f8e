import Glibc
import Kernel
import Testing

@testable import Spool

/// Claims of directories: with all that is in them, or not at all.
@Suite struct DirectoryClaimTests {
    let root: SpoolRoot
    let spool: Spool

    init() throws {
        root = try SpoolRoot()
        spool = try root.spool()
    }

    /// A push of two files in the inbox.
    private func put(_ text: String = "1") throws {
        try root.write(text, to: "inbox/push/a.jpg")
        try root.write("2", to: "inbox/push/b.jpg")
    }

    private func settle(_ text: String, as end: ClaimEnd) throws -> SettledPlace {
        try put(text)
        return try spool.end(spool.take("push", in: root), as: end)
    }

    @Test("it is read where it was claimed")
    func reading() throws {
        try put()
        let claim = try spool.take("push", in: root)
        let directory = try claim.place.open()
        #expect(try FileDescriptor.contentsBeneath("a.jpg", relativeTo: directory, maximumBytes: 9) == Array("1".utf8))
        #expect(root.tree() == ["work/ID.a1/push/a.jpg", "work/ID.a1/push/b.jpg"])
        _ = try spool.end(claim, as: .putBack)
        #expect(root.tree() == ["inbox/push/a.jpg", "inbox/push/b.jpg"])
    }

    @Test("each file in it that has another name becomes a file of our own")
    func hardLinks() throws {
        try root.write("content", to: "elsewhere")
        try root.makeDirectory("inbox/push")
        try root.link("elsewhere", to: "inbox/push/a.jpg")
        try root.write("2", to: "inbox/push/b.jpg")
        let claim = try spool.take("push", in: root)
        #expect(root.status("elsewhere")?.linkCount == 1)
        try root.write("changed", to: "elsewhere")
        #expect(root.tree("work") == ["ID.a1/push/a.jpg", "ID.a1/push/b.jpg"])
        _ = try spool.end(claim, as: .done(digest: nil))
        #expect(root.read("done/push/a.jpg") == "content")
    }

    @Test("the same push again is kept once; another of its name gets an ending")
    func done() throws {
        for _ in 0..<3 { #expect(try settle("1", as: .done(digest: sha("1"))) == .done("push")) }
        let other = FilePath("push.\(sha("other").prefix(16))")
        for _ in 0..<2 { #expect(try settle("other", as: .done(digest: sha("other"))) == .done(other)) }
        #expect(root.tree() == ["done/push.ID/a.jpg", "done/push.ID/b.jpg", "done/push/a.jpg", "done/push/b.jpg"])
        #expect(root.read("done/push/a.jpg") == "1")
    }

    @Test("a refused one has its manifest beside it, the newest")
    func rejected() throws {
        for manifest in ["m1", "m2"] {
            let end = ClaimEnd.rejected(manifest: Array(manifest.utf8), digest: sha("1"))
            #expect(try settle("1", as: end) == .rejected("push"))
            #expect(root.read("rejected/push.json") == manifest)
        }
        #expect(root.tree() == ["rejected/push.json", "rejected/push/a.jpg", "rejected/push/b.jpg"])
    }

    @Test("one that is not wanted is removed with what is in it")
    func deleted() throws {
        #expect(try settle("1", as: .deleted) == .deleted)
        #expect(root.tree().isEmpty)
    }

    @Test("one with another directory in it is never removed, nor taken for the same")
    func nested() throws {
        for text in ["1", "2"] {
            try root.write(text, to: "inbox/push/inner/a.jpg")
            guard case .done = try spool.end(spool.take("push", in: root), as: .deleted) else { throw Unexpected() }
        }
        #expect(root.tree() == ["done/push.ID/inner/a.jpg", "done/push/inner/a.jpg"])
    }

    @Test("the rest of one that was being removed goes at the next start, and is no push any more")
    func halfRemoved() throws {
        try root.write("2", to: "work/0123456789abcdef.copy/push/b.jpg")
        try root.make(.fifo, "work/0123456789abcdef.copy/push/pipe")
        let recovery = try spool.recover()
        #expect(recovery.claims.isEmpty)
        #expect(recovery.strangers.isEmpty)
        #expect(root.tree().isEmpty)
    }

    @Test("a claim that waits in work is found with its kind")
    func recovered() throws {
        try root.write("1", to: "work/0123456789abcdef.a1/push/a.jpg")
        let entry = try #require(try spool.recover().claims.first)
        #expect(entry.kind == .directory && entry.attempts == 1)
        guard let claim = try spool.resume(entry) else { throw Unexpected() }
        #expect(claim.attempts == 2)
        #expect(try spool.end(spool.endAttempt(of: claim), as: .done(digest: nil)) == .done("push"))
        #expect(root.tree() == ["done/push/a.jpg"])
    }

    @Test("a file of it whose fsync failed is written anew before its outcome is published")
    func suspect() throws {
        try put()
        let claim = try spool.take("push", in: root)
        let folder = FilePath("work").appending(claim.directory.name).appending("push")
        let inodes = [root.status(folder.appending("a.jpg"))?.inode, root.status(folder.appending("b.jpg"))?.inode]
        claim.progress.suspects = ["b.jpg"]
        try spool.publish(manifest: [1].span, of: claim, notifies: false)
        #expect(root.status(folder.appending("a.jpg"))?.inode == inodes[0])
        #expect(root.status(folder.appending("b.jpg"))?.inode != inodes[1])
        #expect(claim.progress.isOnDisk && claim.progress.suspects.isEmpty)
        _ = try spool.end(claim, as: .done(digest: nil))
        #expect(root.read("done/push/b.jpg") == "2")
    }

    @Test("one that was put back while its name was taken again waits in work")
    func putBack() throws {
        try put()
        let claim = try spool.take("push", in: root)
        try root.write("new", to: "inbox/push/c.jpg")
        guard case .work(let entry) = try spool.end(claim, as: .putBack) else { throw Unexpected() }
        #expect(spool.takeStranded() == [entry])
        #expect(root.tree("inbox") == ["push/c.jpg"])
        #expect(root.tree("work") == ["ID.a0/push/a.jpg", "ID.a0/push/b.jpg"])
    }

    @Test("a file that comes after it was found is a change")
    func changed() throws {
        try put()
        let candidate = try root.candidate("push")
        try root.write("3", to: "inbox/push/c.jpg")
        #expect(try spool.answer(to: candidate) == .changed)
        #expect(root.tree("inbox").count == 3)
    }
}
