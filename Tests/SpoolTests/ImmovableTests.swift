import Glibc
import Kernel
import Testing

@testable import Spool

/// What cannot be moved on once it was claimed, for a reason of its own: nobody waits for that.
@Suite struct ImmovableTests {
    @Test(
        "a directory that was closed to writers after it was renamed in stays in work, start after start",
        .enabled(if: geteuid() == 0), arguments: ["done", "deleted", "rejected"])
    func closedDirectory(_ name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            let root = try SpoolRoot()
            try root.serveAsNobody()
            let end: ClaimEnd =
                switch name {
                case "done": .done(digest: nil)
                case "deleted": .deleted
                default: .rejected(manifest: Array("m".utf8), digest: nil)
                }
            let manifest = name == "rejected" ? ["rejected/push.json"] : []
            try root.make(.directory, "inbox/push")
            try root.setMode("inbox/push", 0o777)
            do {
                seteuid(nobody)
                let spool = try root.spool()
                let claim = try spool.take("push", in: root)
                seteuid(0)
                try root.setMode(FilePath("work").appending(claim.directory.name).appending("push"), 0o555)
                seteuid(nobody)
                guard case .immovable(let entry, .permissionDenied) = try spool.end(claim, as: end) else {
                    throw Unexpected()
                }
                #expect(entry.attempts == 0)
                #expect(spool.takeStranded().isEmpty)
                #expect(root.tree() == manifest + ["work/ID.a0/push/"])
            }
            for _ in 0..<2 {
                let spool = try root.spool()
                let claims = try spool.recover().claims
                #expect(claims.map(\.name) == ["push"])
                for entry in claims {
                    guard let claim = try spool.resume(entry),
                        case .immovable(_, .permissionDenied) = try spool.end(claim, as: end)
                    else { throw Unexpected() }
                }
            }
            seteuid(0)
            try root.setMode(FilePath("work").appending(try #require(root.workNames().first)).appending("push"), 0o777)
            seteuid(nobody)
            do {
                let spool = try root.spool()
                guard let entry = try spool.recover().claims.first, let claim = try spool.resume(entry) else {
                    throw Unexpected()
                }
                _ = try spool.end(claim, as: end)
            }
            #expect(root.tree("work").isEmpty)
            if name == "deleted" {
                #expect(root.tree("done").isEmpty)
            } else {
                #expect(root.tree(name == "rejected" ? "rejected" : "done").contains("push/"))
            }
            seteuid(0)
        }
    }

    @Test("what cannot be put back either is resumed", .enabled(if: geteuid() == 0))
    func closedDirectoryIsPutBack() async {
        await #expect(processExitsWith: .success) {
            let root = try SpoolRoot()
            try root.serveAsNobody()
            try root.make(.directory, "inbox/push")
            try root.setMode("inbox/push", 0o777)
            seteuid(nobody)
            let spool = try root.spool()
            let claim = try spool.take("push", in: root)
            seteuid(0)
            try root.setMode(FilePath("work").appending(claim.directory.name).appending("push"), 0o555)
            seteuid(nobody)
            guard case .work(let entry) = try spool.end(claim, as: .putBack) else { throw Unexpected() }
            #expect(spool.takeStranded() == [entry])
            guard let resumed = try spool.resume(entry),
                case .immovable = try spool.end(resumed, as: .rejected(manifest: [1], digest: nil))
            else { throw Unexpected() }
            seteuid(0)
        }
    }

    @Test("where nothing can be put no original is to blame", .enabled(if: geteuid() == 0))
    func closedTarget() async {
        await #expect(processExitsWith: .success) {
            let root = try SpoolRoot()
            try root.serveAsNobody()
            try root.write("content", to: "inbox/a")
            seteuid(nobody)
            let spool = try root.spool()
            let claim = try spool.take("a", in: root)
            try root.setMode("done", 0o555)
            switch spool.settle(claim, as: .done(digest: nil)) {
            case .settled: throw Unexpected()
            case .held(let claim, let failure):
                #expect(failure.error == .permissionDenied)
                try root.setMode("done", 0o755)
                #expect(try spool.end(claim, as: .done(digest: nil)) == .done("a"))
            }
            seteuid(0)
        }
    }

    @Test(
        "what only a rename moves stays in work when its place is on another mount",
        .enabled(if: canMount), arguments: [.symlink, .fifo, .directory] as [FileKind])
    func otherMount(_ kind: FileKind) throws {
        let root = try SpoolRoot()
        try root.mount("rejected")
        let spool = try root.spool()
        try root.make(kind, "inbox/thing")
        let claim = try spool.take("thing", in: root)
        guard
            case .immovable(let entry, .crossesBoundary) = try spool.end(
                claim, as: .rejected(manifest: [1], digest: nil))
        else { throw Unexpected() }
        #expect(entry.attempts == 0)
        #expect(root.status("rejected/thing.json") != nil)
        #expect(root.tree("work").count == 1)
    }

    @Test("a deleted original that a mount covers stays in work", .enabled(if: canMount))
    func covered() throws {
        let root = try SpoolRoot()
        let spool = try root.spool()
        try root.write("content", to: "inbox/a")
        try root.write("over it", to: "cover")
        let claim = try spool.take("a", in: root)
        let path = FilePath("work").appending(claim.directory.name).appending("a")
        try root.bind("cover", over: path)
        guard case .immovable(let entry, .resourceBusy) = try spool.end(claim, as: .deleted) else { throw Unexpected() }
        // Its directory has another name now, so that the root does not find the mount.
        let covered = spool.places.work.appending(entry.directory.name).appending("a")
        #expect(try covered.withCString { path in umount2(path, Int32(MNT_DETACH)) } == 0)
    }

    struct Judgement: CustomTestStringConvertible, Sendable {
        let error: Errno
        var mayChange = true
        let isOfEntry: Bool
        var testDescription: String { "\(error)\(mayChange ? "" : ", where nothing may be changed")" }
    }

    @Test(arguments: [
        Judgement(error: .permissionDenied, isOfEntry: true), Judgement(error: .notPermitted, isOfEntry: true),
        Judgement(error: .permissionDenied, mayChange: false, isOfEntry: false),
        Judgement(error: .notPermitted, mayChange: false, isOfEntry: false),
        Judgement(error: .resourceBusy, isOfEntry: true), Judgement(error: .textFileBusy, isOfEntry: true),
        Judgement(error: .crossesBoundary, isOfEntry: true), Judgement(error: .nameTooLong, isOfEntry: true),
        Judgement(error: .invalidArgument, isOfEntry: true), Judgement(error: .noSpace, isOfEntry: false),
        Judgement(error: .inputOutput, isOfEntry: false), Judgement(error: .readOnlyFileSystem, isOfEntry: false),
        Judgement(error: .tooManyOpenFiles, isOfEntry: false), Judgement(error: .quotaExceeded, isOfEntry: false),
    ])
    func whoIsToBlame(_ judgement: Judgement) {
        #expect(judgement.error.isOfEntry(mayChange: judgement.mayChange) == judgement.isOfEntry)
    }
}

/// Whom a service runs as that is no superuser.
private let nobody: uid_t = 65534

extension SpoolRoot {
    func setMode(_ name: FilePath, _ mode: mode_t) throws {
        guard try path.appending(name).withCString({ path in chmod(path, mode) }) == 0 else { throw Errno.current }
    }

    /// Everything that a service makes is another user's from now on; the inbox is everybody's.
    fileprivate func serveAsNobody() throws {
        guard try path.withCString({ path in chown(path, nobody, gid_t.max) }) == 0 else { throw Errno.current }
        seteuid(nobody)
        _ = try spool()
        seteuid(0)
        try setMode("inbox", 0o777)
    }

    fileprivate func workNames() throws -> [FilePath] {
        try DirectoryListing(of: FileDescriptor.open(places.work, flags: .directory)).entries.map(\.name)
    }
}
