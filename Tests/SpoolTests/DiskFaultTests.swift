import Glibc
import Kernel
import Testing

@testable import Spool

/// What needs mounts of its own, and so a superuser.
@Suite(.enabled(if: canMount, "needs the right to mount"))
struct DiskFaultTests {
    let root: SpoolRoot

    init() throws {
        root = try SpoolRoot()
    }

    @Test("an inbox on another mount is claimed by a copy that keeps mode and time")
    func otherMount() throws {
        try root.mount("inbox")
        let spool = try root.spool()
        try root.write("content", to: "inbox/a.jpg")
        let before = root.status("inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        #expect(root.tree() == ["work/ID.a1/a.jpg"])
        #expect(try spool.end(claim, as: .done(digest: nil)) == .done("a.jpg"))
        #expect(root.read("done/a.jpg") == "content")
        let after = root.status("done/a.jpg")
        #expect(after?.modified == before?.modified && after?.mode == before?.mode)
    }

    @Test("put back to another mount by a copy that replaces nothing")
    func putBack() throws {
        try root.mount("inbox")
        let spool = try root.spool()
        try root.write("content", to: "inbox/a.jpg")
        let before = root.status("inbox/a.jpg")
        #expect(try spool.end(spool.take("a.jpg", in: root), as: .putBack) == .inbox)
        #expect(root.tree() == ["inbox/a.jpg"])
        #expect(root.status("inbox/a.jpg")?.modified == before?.modified)
        let claim = try spool.take("a.jpg", in: root)
        try root.write("newer", to: "inbox/a.jpg")
        _ = try spool.end(claim, as: .putBack)
        #expect(root.tree() == ["inbox/a.jpg", "work/ID.a0/a.jpg"])
        #expect(root.read("inbox/a.jpg") == "newer")
        #expect(spool.takeStranded().count == 1)
    }

    @Test("a sparse file is copied with its holes")
    func sparse() throws {
        try root.mount("inbox")
        let spool = try root.spool()
        let file = try FileDescriptor.open(
            root.path.appending("inbox/a"), flags: [.writeOnly, .create, .exclusive])
        #expect(ftruncate(file.rawValue, 8 << 30) == 0)
        let claim = try spool.take("a", in: root)
        #expect(try claim.open().status().size == 8 << 30)
        _ = try spool.end(claim, as: .deleted)
    }

    @Test(
        "what is no regular file cannot come from another mount",
        arguments: [.symlink, .fifo, .directory] as [FileKind])
    func immovable(_ kind: FileKind) throws {
        try root.mount("inbox")
        let spool = try root.spool()
        try root.make(kind, "inbox/thing")
        #expect(try spool.answer(to: root.candidate("thing")) == .immovable(.crossesBoundary))
        #expect(root.status("inbox/thing")?.kind == kind)
        #expect(root.tree("work").isEmpty)
    }

    @Test("a mount point in the inbox is immovable")
    func mountPoint() throws {
        let spool = try root.spool()
        try root.mount("inbox/mounted")
        #expect(try spool.answer(to: root.candidate("mounted")) == .immovable(.resourceBusy))
    }

    @Test(
        "a read-only directory is a fault, and nothing to blame on the file",
        arguments: ["inbox", "work"] as [FilePath])
    func readOnly(mounted: FilePath) throws {
        try root.mount(mounted)
        let spool = try root.spool()
        try root.write("content", to: "inbox/a.jpg")
        let candidate = try root.candidate("a.jpg")
        try root.remount(mounted, options: "size=1m", readOnly: true)
        let failure = #expect(throws: SpoolFailure.self) { try spool.answer(to: candidate) }
        #expect(failure?.error == .readOnlyFileSystem)
        #expect(root.tree() == ["inbox/a.jpg"])
        try root.remount(mounted, options: "size=1m")
        #expect(try spool.answer(to: candidate) == .claimed)
    }

    @Test("originals go to other mounts by copies", arguments: ["done", "rejected"])
    func otherEnds(_ name: String) throws {
        try root.mount(FilePath(name))
        let spool = try root.spool()
        for text in ["one", "one", "two"] {
            let end: ClaimEnd =
                name == "done" ? .done(digest: sha(text)) : .rejected(manifest: [1], digest: sha(text))
            try root.write(text, to: "inbox/a.jpg")
            _ = try spool.end(spool.take("a.jpg", in: root), as: end)
        }
        #expect(root.read(FilePath("\(name)/a.jpg")) == "one")
        #expect(root.read(FilePath("\(name)/a.jpg.\(sha("two").prefix(16))")) == "two")
        #expect(root.tree(FilePath(name)).filter { !$0.hasSuffix(".json") }.count == 2)
        #expect(root.tree("work").isEmpty && root.tree("inbox").isEmpty)
    }

    @Test("a full outbox keeps everything, and once there is room the same goes on")
    func fullOutbox() throws {
        try root.mount("outbox", options: "size=64k")
        let spool = try root.spool()
        try root.write("original", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        let picture = String(repeating: "x", count: 200_000)
        let publish = { () throws -> FilePath in
            try spool.publish(media: Array(picture.utf8).span, digest: sha(picture), fileExtension: "jpg")
        }
        for _ in 0..<3 {
            let failure = #expect(throws: SpoolFailure.self) { try publish() }
            #expect(failure?.error == .noSpace)
            #expect(root.tree("outbox/.tmp").isEmpty)
        }
        try root.remount("outbox", options: "size=1m")
        let path = try publish()
        try spool.publish(manifest: [1].span, of: claim, notifies: true)
        #expect(spool.holds(media: path, digest: sha(picture), bytes: 200_000))
        #expect(try spool.end(claim, as: .done(digest: nil)) == .done("a.jpg"))
    }

    @Test("an outbox without inodes leaves no half of a manifest")
    func noInodes() throws {
        try root.mount("outbox", options: "nr_inodes=7")
        let spool = try root.spool()
        try root.write("original", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        var fault: Errno?
        do throws(SpoolFailure) {
            try spool.publish(manifest: [1].span, of: claim, notifies: true)
        } catch {
            fault = error.error
        }
        #expect(fault == .noSpace)
        #expect(spool.standing(manifestFor: "a.jpg") == nil)
        #expect(try spool.notices(atMost: 1).isEmpty)
        try root.remount("outbox", options: "nr_inodes=100")
        try spool.publish(manifest: [1].span, of: claim, notifies: true)
        _ = try spool.end(claim, as: .done(digest: nil))
        #expect(root.tree() == ["done/a.jpg", "outbox/.notify/ID", "outbox/a.jpg.json"])
    }

    @Test("a read-only outbox is a fault, and once it is writable the same goes on")
    func readOnlyOutbox() throws {
        try root.mount("outbox")
        let spool = try root.spool()
        try root.remount("outbox", options: "size=1m", readOnly: true)
        let publish = { () throws -> FilePath in
            try spool.publish(media: [1].span, digest: "abcd", fileExtension: "jpg")
        }
        let failure = #expect(throws: SpoolFailure.self) { try publish() }
        #expect(failure?.error == .readOnlyFileSystem)
        try root.remount("outbox", options: "size=1m")
        #expect(try publish() == "media/ab/abcd.jpg")
    }

    @Test("full while a claim is copied: the file stays in the inbox", arguments: ["work", "rejected"])
    func fullWork(_ name: String) throws {
        try root.mount(FilePath(name), options: "size=64k")
        let spool = try root.spool()
        let text = String(repeating: "x", count: 200_000)
        try root.write(text, to: "inbox/a.jpg")
        if name == "work" {
            let failure = #expect(throws: SpoolFailure.self) { try spool.answer(to: root.candidate("a.jpg")) }
            #expect(failure?.error == .noSpace)
            #expect(root.tree() == ["inbox/a.jpg"])
        } else {
            let claim = try spool.take("a.jpg", in: root)
            var failure: SpoolFailure?
            switch spool.settle(claim, as: .rejected(manifest: [1], digest: nil)) {
            case .settled: throw Unexpected()
            case .held(let claim, let fault):
                failure = fault
                _ = try spool.end(claim, as: .left)
            }
            #expect(failure?.error == .noSpace)
            #expect(root.tree() == ["rejected/a.jpg.json", "work/ID.a0/a.jpg"])
        }
        try root.remount(FilePath(name), options: "size=1m")
        if name == "work" { #expect(try spool.answer(to: root.candidate("a.jpg")) == .claimed) }
    }

    @Test("an inbox that was replaced by a mount is the inbox")
    func replacedInbox() throws {
        let spool = try root.spool()
        try root.write("below", to: "inbox/a.jpg")
        try root.mount("inbox")
        try root.write("above", to: "inbox/a.jpg")
        #expect(try spool.end(spool.take("a.jpg", in: root), as: .done(digest: nil)) == .done("a.jpg"))
        #expect(root.read("done/a.jpg") == "above")
    }
}
