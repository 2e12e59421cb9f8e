import Glibc
import Kernel
import Testing

@testable import Spool

@Suite struct SettleTests {
    let root: SpoolRoot
    let spool: Spool

    init() throws {
        root = try SpoolRoot()
        spool = try root.spool()
    }

    func settle(_ text: String, named name: FilePath = "a.jpg", as end: ClaimEnd) throws -> SettledPlace {
        try root.write(text, to: FilePath("inbox").appending(name))
        return try spool.end(spool.take(name, in: root), as: end)
    }

    func reject(_ text: String, named name: FilePath = "a.jpg", manifest: String? = nil) throws -> SettledPlace {
        try settle(
            text, named: name, as: .rejected(manifest: Array((manifest ?? "m:\(text)").utf8), digest: sha(text)))
    }

    @Test(arguments: hostileNames)
    func anyNameIsDone(_ name: FilePath) throws {
        guard case .done(let place) = try settle("one", named: name, as: .done(digest: sha("one"))) else {
            throw Unexpected()
        }
        guard case .done(let other) = try settle("two", named: name, as: .done(digest: sha("two"))) else {
            throw Unexpected()
        }
        #expect(root.read(FilePath("done").appending(place)) == "one")
        #expect(root.read(FilePath("done").appending(other)) == "two")
        #expect(root.tree("done").count == 2)
        #expect(root.tree("work").isEmpty)
    }

    @Test(arguments: hostileNames)
    func anyNameIsRejected(_ name: FilePath) throws {
        for text in ["one", "two"] {
            guard case .rejected(let place) = try reject(text, named: name) else { throw Unexpected() }
            #expect(!place.bytes.suffix(5).elementsEqual(".json".utf8))
            #expect(root.read(FilePath("rejected").appending(place)) == text)
            let manifest = FilePath(bytes: place.bytes + Array(".json".utf8))
            #expect(root.read(FilePath("rejected").appending(manifest)) == "m:\(text)")
        }
        #expect(root.tree("rejected").count == 4)
    }

    @Test("in done a taken name gets the content's digest, and the same bytes again nothing new")
    func done() throws {
        #expect(try settle("one", as: .done(digest: sha("one"))) == .done("a.jpg"))
        #expect(try settle("one", as: .done(digest: sha("one"))) == .done("a.jpg"))
        let two = FilePath("a.jpg.\(sha("two").prefix(16))")
        #expect(try settle("two", as: .done(digest: sha("two"))) == .done(two))
        #expect(try settle("two", as: .done(digest: sha("two"))) == .done(two))
        #expect(root.tree("done") == ["a.jpg", "a.jpg.ID"])
        try root.write("something else", to: FilePath("done").appending("a.jpg.\(sha("three").prefix(16))"))
        guard case .done(let third) = try settle("three", as: .done(digest: sha("three"))) else { throw Unexpected() }
        #expect(root.read(FilePath("done").appending(third)) == "three")
        #expect(root.tree("done").count == 4)
    }

    @Test("originals and manifests in rejected never meet, in whatever order they come")
    func rejectedPairs() throws {
        let digest = { (text: String) in FilePath("a.jpg.json.\(sha(text).prefix(16))") }
        #expect(try reject("one") == .rejected("a.jpg"))
        // The very bytes of the manifest beside it.
        #expect(try reject("m:one", named: "a.jpg.json") == SettledPlace.rejected(digest("m:one")))
        #expect(try reject("one", manifest: "again") == .rejected("a.jpg"))
        #expect(root.read("rejected/a.jpg.json") == "again")
        #expect(root.read(FilePath("rejected").appending(digest("m:one"))) == "m:one")
        #expect(root.tree("rejected").count == 4)
    }

    @Test("a manifest without its original, which a crash leaves, is replaced")
    func orphan() throws {
        try root.write("from before", to: "rejected/a.jpg.json")
        #expect(try reject("one") == .rejected("a.jpg"))
        #expect(root.read("rejected/a.jpg.json") == "m:one")
    }

    @Test("what is no regular file is never overwritten, nor taken for the same")
    func otherKinds() throws {
        try root.make(.directory, "rejected/a.jpg")
        try root.make(.directory, "rejected/b.jpg.json")
        try root.make(.symlink, "done/a.jpg")
        #expect(try reject("one") == .rejected(FilePath("a.jpg.\(sha("one").prefix(16))")))
        #expect(try reject("one", named: "b.jpg") == .rejected(FilePath("b.jpg.\(sha("one").prefix(16))")))
        #expect(try settle("one", as: .done(digest: sha("one"))) == .done(FilePath("a.jpg.\(sha("one").prefix(16))")))
        #expect(root.status("done/a.jpg")?.kind == .symlink)
        for _ in 0..<2 {
            try root.make(.fifo, "inbox/pipe")
            _ = try spool.end(spool.take("pipe", in: root), as: .rejected(manifest: [1], digest: nil))
        }
        #expect(
            root.tree("rejected").filter { $0.hasPrefix("pipe") } == ["pipe", "pipe.ID", "pipe.ID.json", "pipe.json"])
    }

    @Test("deleted is gone")
    func deleted() throws {
        #expect(try settle("one", as: .deleted) == .deleted)
        #expect(root.tree().isEmpty)
    }

    @Test("put back is where it was; where the name is taken it waits in work, and can be resumed")
    func putBack() throws {
        #expect(try settle("one", as: .putBack) == .inbox)
        #expect(root.tree() == ["inbox/a.jpg"])
        let claim = try spool.take("a.jpg", in: root)
        try root.write("two", to: "inbox/a.jpg")
        guard case .work(let entry) = try spool.end(claim, as: .putBack) else { throw Unexpected() }
        #expect(root.tree() == ["inbox/a.jpg", "work/ID.a0/a.jpg"])
        #expect(root.read("inbox/a.jpg") == "two")
        #expect(entry.attempts == 0)
        #expect(spool.takeStranded() == [entry])
        #expect(spool.takeStranded().isEmpty)
        guard let resumed = try spool.resume(entry) else { throw Unexpected() }
        #expect(resumed.attempts == 1)
        #expect(try spool.end(resumed, as: .done(digest: nil)) == .done("a.jpg"))
        #expect(root.read("done/a.jpg") == "one")
    }

    @Test("left waits in work, and the attempt does not count")
    func left() throws {
        guard case .work(let entry) = try settle("one", as: .left) else { throw Unexpected() }
        #expect(entry.attempts == 0)
        #expect(root.tree() == ["work/ID.a0/a.jpg"])
        #expect(spool.takeStranded().isEmpty)
    }

    @Test("what somebody took out of work has vanished", arguments: [true, false])
    func vanished(withItsDirectory: Bool) throws {
        for end in [ClaimEnd.done(digest: nil), .deleted, .rejected(manifest: [1], digest: nil)] {
            try root.write("one", to: "inbox/a.jpg")
            let claim = try spool.take("a.jpg", in: root)
            let directory = root.path.appending("work").appending(claim.directory.name)
            try FileDescriptor.unlink(directory.appending("a.jpg"))
            if withItsDirectory { try FileDescriptor.removeDirectory(directory) }
            #expect(try spool.end(claim, as: end) == .vanished)
            #expect(root.tree().isEmpty)
        }
    }

    @Test("a fault keeps the claim, and the same can be tried again", arguments: ["done", "work", "rejected"])
    func held(_ missing: String) throws {
        let end: ClaimEnd = missing == "rejected" ? .rejected(manifest: [1], digest: nil) : .done(digest: nil)
        try root.write("one", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        try root.rename(FilePath(missing), to: "away")
        switch spool.settle(claim, as: end) {
        case .settled: throw Unexpected()
        case .held(let claim, let failure):
            #expect(failure.path == root.path.appending(FilePath(missing)))
            try root.rename("away", to: FilePath(missing))
            _ = try spool.end(claim, as: end)
        }
        #expect(root.tree().contains(missing == "rejected" ? "rejected/a.jpg" : "done/a.jpg"))
        #expect(root.tree("work").isEmpty)
    }

    @Test("a fault after the move does not move twice")
    func heldAfterTheMove() throws {
        try root.write("one", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        claim.progress.place = "a.jpg"
        try root.rename(FilePath("work").appending(claim.directory.name).appending("a.jpg"), to: "done/a.jpg")
        #expect(try spool.end(claim, as: .done(digest: nil)) == .done("a.jpg"))
        #expect(root.tree() == ["done/a.jpg"])
    }

    @Test("originals of one name that end at once all stay")
    func atOnce() throws {
        let texts = (0..<8).map { "text \($0)" }
        var threads: [Thread] = []
        for text in texts {
            try root.write(text, to: "inbox/a.jpg")
            let claim = try spool.take("a.jpg", in: root)
            guard case .work(let entry) = try spool.end(claim, as: .left) else { throw Unexpected() }
            threads.append(Thread(entry: entry, text: text))
        }
        let spool = spool
        try inThreads(threads) { thread in
            guard let claim = try? spool.resume(thread.entry) else { return }
            _ = try? spool.end(claim, as: .rejected(manifest: Array("m:\(thread.text)".utf8), digest: sha(thread.text)))
        }
        #expect(root.tree("work").isEmpty)
        let listing = try DirectoryListing(of: FileDescriptor.open(spool.places.rejected, flags: .directory))
        let names = listing.entries.map(\.name.display).filter { !$0.hasSuffix(".json") }
        #expect(Set(names.compactMap { root.read("rejected/\($0)") }) == Set(texts))
        for name in names {
            let text = root.read("rejected/\(name)") ?? ""
            #expect(root.read("rejected/\(name).json") == "m:\(text)")
        }
    }

    struct Thread: Sendable {
        let entry: ClaimEntry
        let text: String
    }
}

/// Runs a body for each item on a thread of its own, all at once, and waits for them.
func inThreads<Item: Sendable>(_ items: [Item], _ body: @escaping @Sendable (Item) -> Void) throws {
    func start(_ rest: ArraySlice<Item>) throws {
        guard let item = rest.first else { return }
        let thread = try SystemThread.start { body(item) }
        try start(rest.dropFirst())
        thread.join()
    }
    try start(items[...])
}
