import Glibc
import Kernel
import Testing

@testable import Spool

@Suite struct ClaimTests {
    let root: SpoolRoot
    let spool: Spool

    init() throws {
        root = try SpoolRoot()
        spool = try root.spool()
    }

    @Test(arguments: hostileNames)
    func anyName(_ name: FilePath) throws {
        try root.write("content", to: FilePath("inbox").appending(name))
        let claim = try spool.take(name, in: root)
        #expect(claim.name == name)
        #expect(claim.attempts == 1)
        #expect(try claim.open().readAll(maximumBytes: 100) == Array("content".utf8))
        #expect(root.tree("inbox").isEmpty)
        #expect(try spool.end(claim, as: .putBack) == .inbox)
        #expect(root.read(FilePath("inbox").appending(name)) == "content")
        #expect(root.tree("work").isEmpty)
    }

    @Test(arguments: ["", ".", "..", "a/b", "../inbox/a", "/etc/passwd"] as [FilePath])
    func pathsAreNoNames(_ name: FilePath) throws {
        try root.write("a", to: "inbox/a")
        let status = try root.candidate("a").status
        #expect(try spool.answer(to: Candidate(name: name, status: status)) == .gone)
        #expect(root.tree() == ["inbox/a"])
    }

    @Test(arguments: [.symlink, .fifo, .socket, .directory, .characterDevice] as [FileKind])
    func anyKindIsMovedAndNeverOpened(_ kind: FileKind) throws {
        guard kind != .characterDevice || geteuid() == 0 else { return }
        try root.make(kind, "inbox/thing")
        let claim = try spool.take("thing", in: root)
        #expect(claim.kind == kind)
        let error = #expect(throws: Errno.self) { _ = try claim.open() }
        #expect(error == .invalidArgument)
        #expect(try spool.end(claim, as: .rejected(manifest: Array("m".utf8), digest: nil)) == .rejected("thing"))
        #expect(root.status("rejected/thing")?.kind == kind)
        #expect(root.read("rejected/thing.json") == "m")
        #expect(root.tree("work").isEmpty)
    }

    @Test("a directory keeps what is in it")
    func directory() throws {
        try root.write("1", to: "inbox/push/a.jpg")
        let claim = try spool.take("push", in: root)
        #expect(try spool.end(claim, as: .done(digest: nil)) == .done("push"))
        #expect(root.read("done/push/a.jpg") == "1")
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let answer: Answer
        let make: @Sendable (SpoolRoot) throws -> Void
    }

    @Test(arguments: [
        Change(testDescription: "nothing", answer: .claimed) { _ in },
        Change(testDescription: "removed", answer: .gone) { try $0.remove("inbox/a") },
        Change(testDescription: "longer", answer: .changed) { try $0.write("longer content", to: "inbox/a") },
        Change(testDescription: "replaced by the same", answer: .changed) {
            try $0.write("content", to: "inbox/b")
            try $0.rename("inbox/b", to: "inbox/a")
        },
        Change(testDescription: "replaced by a link", answer: .changed) {
            try $0.remove("inbox/a")
            try $0.make(.symlink, "inbox/a")
        },
        Change(testDescription: "touched", answer: .changed) { root in
            try root.path.appending("inbox/a").withCString { path in
                _ = utimensat(AT_FDCWD, path, [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)], 0)
            }
        },
        Change(testDescription: "another mode", answer: .claimed) { root in
            try root.path.appending("inbox/a").withCString { path in _ = chmod(path, 0) }
        },
    ])
    func sinceItWasFound(_ change: Change) throws {
        try root.write("content", to: "inbox/a")
        let candidate = try root.candidate("a")
        try change.make(root)
        let before = root.tree("inbox")
        #expect(try spool.answer(to: candidate) == change.answer)
        if change.answer != .claimed { #expect(root.tree() == before.map { "inbox/\($0)" }) }
    }

    @Test("a file with another name becomes a file of our own, and the other name keeps what it had")
    func hardLink() throws {
        try root.write("content", to: "elsewhere")
        try root.link("elsewhere", to: "inbox/a")
        let claim = try spool.take("a", in: root)
        #expect(root.status("elsewhere")?.linkCount == 1)
        try root.write("overwritten", to: "elsewhere")
        #expect(try claim.open().readAll(maximumBytes: 100) == Array("content".utf8))
        #expect(root.tree() == ["elsewhere", "work/ID.a1/a"])
        _ = try spool.end(claim, as: .done(digest: nil))
        #expect(root.read("done/a") == "content")
    }

    @Test(
        "without an inbox, or without a work directory, nothing is to blame on the file", arguments: ["inbox", "work"])
    func missingDirectory(_ name: String) throws {
        try root.write("content", to: "inbox/a")
        let candidate = try root.candidate("a")
        try root.rename(FilePath(name), to: "away")
        let failure = #expect(throws: SpoolFailure.self) { try spool.answer(to: candidate) }
        #expect(failure?.error == .noSuchFileOrDirectory)
        #expect(failure?.path == root.path.appending(FilePath(name)))
        try root.rename("away", to: FilePath(name))
        #expect(try spool.answer(to: candidate) == .claimed)
    }

    @Test("for a user who may not, a file is immovable, or is refused unread", .enabled(if: geteuid() == 0))
    func withoutPermission() async {
        await #expect(processExitsWith: .success) {
            let root = try SpoolRoot()
            let spool = try root.spool()
            try root.write("content", to: "inbox/a")
            let modes: [(FilePath, mode_t)] = [
                ("", 0o755), ("inbox", 0o1777), ("inbox/a", 0), ("work", 0o777), ("rejected", 0o777),
            ]
            for (name, mode) in modes { try root.path.appending(name).withCString { path in _ = chmod(path, mode) } }
            seteuid(65534)
            #expect(try spool.answer(to: root.candidate("a")) == .immovable(.notPermitted))
            seteuid(0)
            #expect(root.tree() == ["inbox/a"])
            try root.path.appending("inbox").withCString { path in _ = chmod(path, 0o777) }
            seteuid(65534)
            let claim = try spool.take("a", in: root)
            var refusal: Errno?
            do throws(Errno) { _ = try claim.open() } catch { refusal = error }
            #expect(refusal == .permissionDenied)
            #expect(try spool.end(claim, as: .rejected(manifest: [1], digest: nil)) == .rejected("a"))
            seteuid(0)
            #expect(root.read("rejected/a") == "content")
        }
    }

    @Test("a claim that is forgotten ends the process")
    func forgotten() async throws {
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let root = try SpoolRoot()
            let spool = try root.spool()
            try root.write("content", to: "inbox/a")
            _ = try spool.take("a", in: root)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("every claim has to be settled"))
    }
}
