import Kernel
import Synchronization
import Testing

@testable import Spool

@Suite struct PublishTests {
    let root: SpoolRoot
    let spool: Spool

    init() throws {
        root = try SpoolRoot()
        spool = try root.spool()
    }

    func publish(_ text: String) throws -> FilePath {
        try spool.publish(media: Array(text.utf8).span, digest: sha(text), fileExtension: "jpg")
    }

    func withClaim(_ name: FilePath = "a.jpg", _ body: (borrowing Claim) throws -> Void) throws {
        try root.write("original", to: FilePath("inbox").appending(name))
        let claim = try spool.take(name, in: root)
        do {
            try body(claim)
        } catch {
            _ = try spool.end(claim, as: .left)
            throw error
        }
        _ = try spool.end(claim, as: .deleted)
    }

    @Test("media are named by their own bytes")
    func media() throws {
        let digest = sha("picture")
        let path = try publish("picture")
        #expect(path == FilePath("media/\(digest.prefix(2))/\(digest).jpg"))
        #expect(root.read(FilePath("outbox").appending(path)) == "picture")
        #expect(root.tree() == ["outbox/\(path)"])
    }

    @Test("the same media again stay the file they are")
    func sameMedia() throws {
        let path = FilePath("outbox").appending(try publish("picture"))
        let inode = root.status(path)?.inode
        _ = try publish("picture")
        #expect(root.status(path)?.inode == inode)
    }

    struct Obstacle: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable (SpoolRoot, FilePath) throws -> Void
    }

    @Test(
        "what is not the same media is replaced",
        arguments: [
            Obstacle(testDescription: "empty") { try $0.write("", to: $1) },
            Obstacle(testDescription: "torn") { try $0.write("pic", to: $1) },
            Obstacle(testDescription: "zeros") { try $0.write("\0\0\0\0\0\0\0", to: $1) },
            Obstacle(testDescription: "longer") { try $0.write("pictures", to: $1) },
            Obstacle(testDescription: "a link") { root, path in
                try root.write("picture", to: "precious")
                try root.makeSymbolicLink(path, to: "../../../precious")
            },
            Obstacle(testDescription: "a FIFO") { try $0.make(.fifo, $1) },
        ])
    func torn(_ obstacle: Obstacle) throws {
        let path = FilePath("outbox").appending(try publish("picture"))
        try root.remove(path)
        try obstacle.make(root, path)
        _ = try publish("picture")
        #expect(root.read(path) == "picture")
        #expect(root.status(path)?.kind == .regular)
        #expect(root.tree("outbox/.tmp").isEmpty)
    }

    @Test("a directory where media belong is a failure that names it, and leaves nothing behind")
    func directoryInTheWay() throws {
        let path = FilePath("outbox").appending(try publish("picture"))
        try root.remove(path)
        try root.make(.directory, path)
        let failure = #expect(throws: SpoolFailure.self) { try publish("picture") }
        #expect(failure?.path == root.path.appending(path))
        #expect(root.tree("outbox/.tmp").isEmpty)
    }

    @Test("media whose directory could not be synced are written anew")
    func suspect() throws {
        let path = try publish("picture")
        let whole = FilePath("outbox").appending(path)
        let inode = root.status(whole)?.inode
        spool.suspectMedia.withLock { _ = $0.insert(path) }
        _ = try publish("picture")
        #expect(root.status(whole)?.inode != inode)
        let rest = spool.suspectMedia.withLock { $0 }
        #expect(rest.isEmpty)
    }

    @Test("directories of the outbox that went away are made again")
    func outboxReplaced() throws {
        try root.rename("outbox", to: "away")
        let failure = #expect(throws: SpoolFailure.self) { try publish("picture") }
        #expect(failure?.path == root.path.appending("outbox"))
        #expect(failure?.error == .noSuchFileOrDirectory)
        try root.makeDirectory("outbox")
        _ = try publish("picture")
        try withClaim { claim in
            try spool.publish(manifest: Array("m".utf8).span, of: claim, notifies: true)
            spool.remember(manifestOf: claim, as: "0123-r")
        }
        #expect(root.read("outbox/a.jpg.json") == "m")
        #expect(spool.remembered("0123-r") == Array("m".utf8))
    }

    @Test(
        "where there are no hard links the notice is a copy of its own",
        arguments: [.notPermitted, .notSupported, .tooManyLinks, .noSuchCall] as [Errno])
    func withoutLinks(_ error: Errno) async {
        let number = error.rawValue
        await #expect(processExitsWith: .success) { [number = number as Int32] in
            let root = try SpoolRoot()
            let spool = try root.spool()
            try root.write("original", to: "inbox/a.jpg")
            let claim = try spool.take("a.jpg", in: root)
            let id = claim.id
            try DeniedCall.deny(DeniedCall.linkat, with: Errno(rawValue: number))
            for text in ["first", "second"] {
                try spool.publish(manifest: Array(text.utf8).span, of: claim, notifies: true)
                let notice = try spool.open(notice: id)?.readAll(maximumBytes: 100)
                #expect(notice == Array(text.utf8))
                #expect(root.read("outbox/a.jpg.json") == text)
            }
            #expect(try spool.notices(atMost: 2) == [id])
            #expect(root.tree("outbox/.tmp").isEmpty)
            _ = try spool.end(claim, as: .done(digest: nil))
        }
    }

    @Test("a manifest that cannot be put in place leaves no notice: its claim may become another one")
    func notInPlace() throws {
        try root.makeDirectory("outbox/a.jpg.json")
        try root.write("original", to: "inbox/a.jpg")
        let claim = try spool.take("a.jpg", in: root)
        let failure = #expect(throws: SpoolFailure.self) {
            try spool.publish(manifest: Array("m".utf8).span, of: claim, notifies: true)
        }
        #expect(failure?.error == .isDirectory)
        #expect(try spool.end(claim, as: .putBack) == .inbox)
        #expect(root.tree() == ["inbox/a.jpg", "outbox/a.jpg.json/"])
    }

    @Test("a manifest replaces the one before, and waits as a notice where that is asked for")
    func manifest() throws {
        try withClaim { claim in
            try spool.publish(manifest: Array("first".utf8).span, of: claim, notifies: false)
            #expect(spool.standing(manifestFor: "a.jpg") == Array("first".utf8))
            #expect(try spool.notices(atMost: 10).isEmpty)
            for text in ["second", "third"] {
                try spool.publish(manifest: Array(text.utf8).span, of: claim, notifies: true)
                #expect(spool.standing(manifestFor: "a.jpg") == Array(text.utf8))
                #expect(try spool.notices(atMost: 10) == [claim.id])
                let notice = try spool.open(notice: claim.id)
                #expect(try notice?.readAll(maximumBytes: 100) == Array(text.utf8))
            }
            try spool.removeNotice(claim.id)
            try spool.removeNotice(claim.id)
            let none = try spool.open(notice: claim.id) == nil
            #expect(none)
        }
        #expect(root.tree() == ["outbox/a.jpg.json"])
    }

    @Test("an original whose fsync failed is written anew before its outcome is published")
    func suspectOriginal() throws {
        try withClaim { claim in
            let path = FilePath("work").appending(claim.directory.name).appending(claim.name)
            let inode = root.status(path)?.inode
            claim.progress.suspects = [claim.name]
            try spool.publish(manifest: [1].span, of: claim, notifies: false)
            #expect(root.status(path)?.inode != inode)
            #expect(root.read(path) == "original")
            #expect(claim.progress.isOnDisk && claim.progress.suspects.isEmpty)
        }
        #expect(root.tree() == ["outbox/a.jpg.json"])
    }

    @Test("notices come in the order of time, and no more than asked for")
    func notices() throws {
        for name in ["c", "a", "b"] as [FilePath] {
            try withClaim(name) { try spool.publish(manifest: [1].span, of: $0, notifies: true) }
        }
        try root.write("", to: "outbox/.notify/stranger")
        let all = try spool.notices(atMost: 10)
        #expect(all.count == 3 && all == all.sorted())
        #expect(try spool.notices(atMost: 2) == Array(all.prefix(2)))
        #expect(try spool.notices(atMost: 0).isEmpty)
    }

    @Test("of many notices the oldest are found, however few are asked for", arguments: [1, 2, 7, 99, 100, 101])
    func manyNotices(limit: Int) throws {
        let ids = (1...100).map { ClaimID(value: UInt64($0)) }
        for id in ids.shuffled() { try root.write("", to: FilePath("outbox/.notify").appending(id.name)) }
        try root.make(.directory, FilePath("outbox/.notify").appending(ClaimID(value: 0).name))
        #expect(try spool.notices(atMost: limit) == Array(ids.prefix(limit)))
    }

    @Test(
        "what cannot be removed is an error, what is not there is none, even where nothing can be written",
        .enabled(if: canMount, "needs the right to mount"))
    func readOnlyNotices() throws {
        try root.mount("outbox/.notify")
        let id = ClaimID(value: 1)
        try root.write("", to: FilePath("outbox/.notify").appending(id.name))
        try root.remount("outbox/.notify", options: "size=1m", readOnly: true)
        let failure = #expect(throws: SpoolFailure.self) { try spool.removeNotice(id) }
        #expect(failure?.error == .readOnlyFileSystem)
        try spool.removeNotice(ClaimID(value: 2))
        try root.remount("outbox/.notify", options: "size=1m")
        try spool.removeNotice(id)
        #expect(try spool.notices(atMost: 1).isEmpty)
    }

    @Test("a remembered manifest is found by its key; a later one takes its place")
    func index() throws {
        #expect(spool.remembered("ab12-recipe") == nil)
        try withClaim { claim in
            spool.remember(manifestOf: claim, as: "ab12-recipe")
            #expect(spool.remembered("ab12-recipe") == nil, "there is no manifest yet")
            for text in ["first", "second"] {
                try spool.publish(manifest: Array(text.utf8).span, of: claim, notifies: false)
                spool.remember(manifestOf: claim, as: "ab12-recipe")
                spool.remember(manifestOf: claim, as: "ab12-recipe")
                #expect(spool.remembered("ab12-recipe") == Array(text.utf8))
            }
        }
        #expect(root.tree() == ["outbox/.index/ab/ab12-recipe", "outbox/a.jpg.json"])
    }

    @Test("keys are no paths", arguments: ["", "a", "..", "../../a.jpg.json", "ab/cd", "..x", "./x", "a\0b"])
    func keys(_ key: String) throws {
        try withClaim { claim in
            try spool.publish(manifest: [1].span, of: claim, notifies: false)
            spool.remember(manifestOf: claim, as: key)
        }
        #expect(root.tree() == ["outbox/a.jpg.json"])
        #expect(spool.remembered(key) == nil)
    }

    @Test("media are held when they are there byte for byte")
    func holds() throws {
        let path = try publish("picture")
        #expect(spool.holds(media: path, digest: sha("picture"), bytes: 7))
        #expect(!spool.holds(media: path, digest: sha("picture"), bytes: 8))
        #expect(!spool.holds(media: path, digest: sha("picture"), bytes: -1))
        #expect(!spool.holds(media: path, digest: sha("other"), bytes: 7))
        #expect(!spool.holds(media: "media/none.jpg", digest: sha("picture"), bytes: 7))
        #expect(!spool.holds(media: "media/../../lock", digest: sha(""), bytes: 0))
        #expect(!spool.holds(media: "lock", digest: sha(""), bytes: 0))
        #expect(!spool.holds(media: "media", digest: sha(""), bytes: 0))
        try root.write("pixture", to: FilePath("outbox").appending(path))
        #expect(!spool.holds(media: path, digest: sha("picture"), bytes: 7))
    }

    @Test("every inbox name has a manifest's name of its own that a file system takes")
    func outcomeNames() {
        let hash = { (name: String) in String(sha(name).prefix(32)) }
        #expect(spool.outcomeName(for: "a.jpg") == "a.jpg.json")
        let long = String(repeating: "x", count: 251)
        #expect(spool.outcomeName(for: FilePath(String(long.dropLast()))) == FilePath(long.dropLast() + ".json"))
        let hashed = long.prefix(217) + "-" + hash(long)
        #expect(spool.outcomeName(for: FilePath(long)) == FilePath(hashed + ".json"))
        // A name that is the hashed form of another.
        let posing = String(hashed)
        #expect(spool.outcomeName(for: FilePath(posing)) == FilePath("\(posing.prefix(217))-\(hash(posing)).json"))
        let names = hostileNames + hostileNames.map { spool.outcomeName(for: $0) } + [FilePath(posing)]
        let outcomes = Set(names).map { spool.outcomeName(for: $0) }
        #expect(Set(outcomes).count == Set(names).count)
        #expect(outcomes.allSatisfy { $0.bytes.count <= 255 && $0.isEntryName })
        #expect(outcomes.allSatisfy { $0.bytes.suffix(5).elementsEqual(".json".utf8) })
        let umlauts = spool.outcomeName(for: FilePath(String(repeating: "ü", count: 127)))
        #expect(String(validating: umlauts.bytes, as: UTF8.self) != nil, "cut where a character ends")
    }

    @Test(arguments: hostileNames)
    func anyNameIsPublished(_ name: FilePath) throws {
        try withClaim(name) { try spool.publish(manifest: name.bytes.span, of: $0, notifies: false) }
        #expect(spool.standing(manifestFor: name) == name.bytes)
        #expect(root.tree().count == 1)
    }

    @Test("nothing is published twice under different names by threads that publish the same at once")
    func atOnce() throws {
        let spool = spool
        try inThreads(Array(0..<8)) { _ in
            _ = try? spool.publish(media: Array("picture".utf8).span, digest: sha("picture"), fileExtension: "jpg")
        }
        #expect(root.tree().count == 1)
        #expect(spool.holds(media: try publish("picture"), digest: sha("picture"), bytes: 7))
    }
}
