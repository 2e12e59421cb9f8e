import Glibc
import Kernel
import Testing

@testable import Spool

@Suite struct RecoveryTests {
    let root: SpoolRoot

    init() throws {
        root = try SpoolRoot()
    }

    static let id = "0123456789abcdef"

    struct State: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What a run that was killed left.
        let files: [FilePath]
        var directories: [FilePath] = []
        /// What recovery makes of it.
        let tree: [String]
        var claims: [String] = []
        var strangers: [String] = []
    }

    @Test(arguments: [
        State(testDescription: "nothing", files: [], tree: []),
        State(
            testDescription: "a claim's directory, before the rename", files: ["inbox/a"],
            directories: ["work/\(id).a1"], tree: ["inbox/a"]),
        State(
            testDescription: "claimed", files: ["work/\(id).a1/a"], tree: ["work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "a copy that is not complete", files: ["inbox/a", "work/\(id).copy/a"], tree: ["inbox/a"]),
        State(
            testDescription: "a copy that was just begun", files: ["inbox/a"], directories: ["work/\(id).copy"],
            tree: ["inbox/a"]),
        State(
            testDescription: "a complete copy, before its name in the inbox went",
            files: ["inbox/a", "work/\(id).a1/a"], tree: ["inbox/a", "work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "a file with two names, being made private",
            files: ["work/\(id).a1/a", "work/\(id).copy/a"], tree: ["work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "media being written", files: ["work/\(id).a1/a", "outbox/.tmp/0123456789abcdf0"],
            tree: ["work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "media published, no manifest", files: ["work/\(id).a2/a", "outbox/media/ab/abcd.jpg"],
            tree: ["outbox/media/ab/abcd.jpg", "work/ID.a2/a"], claims: ["a 2"]),
        State(
            testDescription: "a notice, and no manifest yet",
            files: ["work/\(id).a1/a", "outbox/.tmp/0123456789abcdf0", "outbox/.notify/\(id)"],
            tree: ["work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "published, not settled",
            files: ["work/\(id).a1/a", "outbox/a.json", "outbox/.notify/\(id)", "outbox/.index/ab/abcd"],
            tree: ["outbox/.index/ab/abcd", "outbox/a.json", "work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "rejected: the manifest being written",
            files: ["work/\(id).a1/a", "rejected/.mediaprep-\(id).tmp"], tree: ["work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "rejected: the manifest, and not yet the original",
            files: ["work/\(id).a1/a", "rejected/a.json"], tree: ["rejected/a.json", "work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "done, being copied", files: ["work/\(id).a1/a", "done/.mediaprep-\(id).tmp"],
            tree: ["work/ID.a1/a"], claims: ["a 1"]),
        State(
            testDescription: "done, and its directory not yet gone",
            files: ["done/a", "outbox/a.json", "outbox/.notify/\(id)"], directories: ["work/\(id).a1"],
            tree: ["done/a", "outbox/.notify/ID", "outbox/a.json"]),
        State(
            testDescription: "put back, being copied", files: ["work/\(id).a1/a", "inbox/.mediaprep-\(id).tmp"],
            tree: ["work/ID.a1/a"], claims: ["a 1"]),
        State(testDescription: "left", files: ["work/\(id).a0/a"], tree: ["work/ID.a0/a"], claims: ["a 0"]),
        State(
            testDescription: "crashed", files: ["work/\(id).crashed/a"], tree: ["work/ID.crashed/a"],
            claims: ["a crashed"]),
        State(
            testDescription: "a name like ours that belongs to no claim", files: ["done/.mediaprep-\(id).tmp"],
            tree: ["done/.mediaprep-\(id).tmp"]),
        State(
            testDescription: "several claims, the oldest first",
            files: ["work/0000000000000003.a1/c", "work/0000000000000001.a2/b", "work/0000000000000002.crashed/a"],
            tree: ["work/ID.a1/c", "work/ID.a2/b", "work/ID.crashed/a"], claims: ["b 2", "a crashed", "c 1"]),
        State(
            testDescription: "strangers",
            files: [
                "work/file", "work/\(id).a1/a", "work/\(id).a1/b", "work/\(id).a01/c", "work/dir/d",
                "work/0000000000000001.a1/x", "work/0000000000000001.crashed/x", "outbox/.tmp/dir/x",
                "outbox/.notify/x", "work/0000000000000002.copy/dir/inner/x", "work/0000000000000003.a1/a",
            ],
            tree: [
                "outbox/.notify/x", "outbox/.tmp/dir/x", "work/ID.a01/c", "work/ID.a1/a", "work/ID.a1/a",
                "work/ID.a1/b", "work/ID.a1/x", "work/ID.copy/dir/inner/x", "work/ID.crashed/x", "work/dir/d",
                "work/file",
            ],
            claims: ["x 1", "a 1"],
            strangers: [
                "outbox/.notify/x", "outbox/.tmp/dir", "work/0000000000000001.crashed", "work/0000000000000002.copy",
                "work/0000000000000002.copy/dir", "work/\(id).a01", "work/\(id).a1", "work/dir", "work/file",
            ]),
    ])
    func everyState(_ state: State) throws {
        for name in state.files { try root.write("content of \(name.lastComponent)", to: name) }
        for name in state.directories { try root.makeDirectory(name) }
        let spool = try root.spool()
        let recovery = try spool.recover()
        #expect(root.tree() == state.tree)
        #expect(
            recovery.claims.map { "\($0.name) \($0.hasCrashed ? "crashed" : String($0.attempts))" } == state.claims)
        let prefix = root.path.bytes.count + 1
        #expect(
            recovery.strangers.map { FilePath(bytes: $0.bytes.dropFirst(prefix)).display }.sorted() == state.strangers)
        #expect(try spool.recover().claims == recovery.claims, "a second time changes nothing")
        for entry in recovery.claims {
            guard let claim = try spool.resume(entry) else { throw Unexpected() }
            #expect(claim.attempts == (entry.hasCrashed ? 3 : entry.attempts + 1))
            #expect(try claim.open().readAll(maximumBytes: 100) == Array("content of \(claim.name)".utf8))
            _ = try spool.end(claim, as: .done(digest: nil))
            #expect(root.read(FilePath("done").appending(entry.name)) == "content of \(entry.name)")
        }
    }

    @Test("a claim that went away is not resumed")
    func goneAway() throws {
        try root.write("a", to: "work/\(Self.id).a1/a")
        try root.write("b", to: "work/0000000000000001.a1/b")
        let spool = try root.spool()
        let claims = try spool.recover().claims
        try root.remove("work/\(Self.id).a1/a")
        try root.rename("work/0000000000000001.a1", to: "elsewhere")
        for entry in claims {
            let isGone = try spool.resume(entry) == nil
            #expect(isGone)
        }
        #expect(root.tree() == ["elsewhere/b"])
    }

    @Test("a claim whose file has another name is made private when it is resumed")
    func linked() throws {
        try root.write("a", to: "work/\(Self.id).a1/a")
        try root.link("work/\(Self.id).a1/a", to: "elsewhere")
        let spool = try root.spool()
        guard let entry = try spool.recover().claims.first, let claim = try spool.resume(entry) else {
            throw Unexpected()
        }
        #expect(root.status("elsewhere")?.linkCount == 1)
        _ = try spool.end(claim, as: .done(digest: nil))
        #expect(root.tree() == ["done/a", "elsewhere"])
    }

    @Test("a stranger that has the next number is passed by")
    func occupied() throws {
        try root.write("a", to: "work/\(Self.id).a1/a")
        try root.write("b", to: "work/\(Self.id).a2/b")
        let spool = try root.spool()
        guard let entry = try spool.recover().claims.first, let claim = try spool.resume(entry) else {
            throw Unexpected()
        }
        #expect(claim.attempts == 3)
        _ = try spool.end(claim, as: .done(digest: nil))
        #expect(root.tree() == ["done/a", "work/ID.a2/b"])
    }

    @Test("names of any bytes survive a restart", arguments: hostileNames)
    func names(_ name: FilePath) throws {
        try root.write("content", to: FilePath("inbox").appending(name))
        do {
            let spool = try root.spool()
            _ = try spool.end(spool.take(name, in: root), as: .left)
        }
        let spool = try root.spool()
        let claims = try spool.recover().claims
        #expect(claims.map(\.name) == [name])
        guard let entry = claims.first, let claim = try spool.resume(entry) else { throw Unexpected() }
        _ = try spool.end(claim, as: .putBack)
        #expect(root.read(FilePath("inbox").appending(name)) == "content")
    }

    /// Garbage in every directory that the service keeps its state in, the same in each run of one seed.
    @Test("whatever lies in the directories, a start neither crashes nor loses originals", arguments: 0..<60)
    func garbage(seed: Int) throws {
        var random = Seeded(state: UInt64(seed) &+ 1)
        var originals: Set<String> = []
        for index in 0..<40 {
            let id =
                ["0123456789abcdef", "ffffffffffffffff", "0000000000000000", "0123456789abcde", "x"]
                .randomElement(using: &random) ?? ""
            let ending = ["a0", "a1", "a2", "a999", "a1000", "crashed", "copy", "", "a1.b"].randomElement(
                using: &random)
            let directory =
                [
                    "work/\(id).\(ending ?? "")", "work", "outbox/.tmp", "outbox/.notify", "outbox/.index/ab", "done",
                    "rejected", "inbox", "outbox/media/ab", "outbox", ".",
                ].randomElement(using: &random) ?? ""
            let name =
                ["a", "a.json", id, ".mediaprep-\(id).tmp", "state.json", "\(id).a1", "n\(index)"]
                .randomElement(using: &random) ?? ""
            let path = FilePath("\(directory)/\(name)")
            guard root.status(path) == nil, directory != "." || name == "state.json" else { continue }
            let kind =
                [FileKind.regular, .regular, .regular, .directory, .fifo, .symlink]
                .randomElement(using: &random) ?? .regular
            guard (try? root.makeDirectory(path.removingLastComponent)) != nil else { continue }
            if kind == .regular {
                let text = "original \(index)" + String(repeating: "\0", count: Int.random(in: 0..<9, using: &random))
                try root.write(text, to: path)
                let isOriginal =
                    ["work", "done", "inbox", "rejected"].contains { directory.hasPrefix($0) }
                    && !directory.hasSuffix(".copy") && !name.hasPrefix(".mediaprep-")
                    && !(directory == "rejected" && name.hasSuffix(".json"))
                if isOriginal { originals.insert(text) }
            } else {
                try root.make(kind, path)
            }
        }
        let spool = try root.spool()
        let recovery = try spool.recover()
        for entry in recovery.claims {
            guard let claim = try spool.resume(entry) else { continue }
            _ = try spool.end(
                claim, as: Bool.random(using: &random) ? .done(digest: nil) : .rejected(manifest: [1], digest: nil))
        }
        let inbox = try DirectoryListing(of: FileDescriptor.open(root.places.inbox, flags: .directory))
        for entry in inbox.entries {
            let claim = try spool.take(entry.name, in: root)
            _ = try? spool.publish(manifest: [1].span, of: claim, notifies: true)
            _ = try spool.end(claim, as: .rejected(manifest: [1], digest: nil))
        }
        let left = Set(root.tree().compactMap { root.read(FilePath($0)) })
        let everything = left.union(texts(below: root.path))
        #expect(originals.subtracting(everything).isEmpty)
    }

    /// What all regular files hold; `tree` writes ids in a way that cannot be opened.
    private func texts(below path: FilePath) -> Set<String> {
        guard let directory = try? FileDescriptor.open(path, flags: [.directory, .noFollow]),
            let entries = try? DirectoryListing(of: directory).entries
        else { return [] }
        var texts: Set<String> = []
        for entry in entries {
            let inner = path.appending(entry.name)
            if entry.kind == .directory {
                texts.formUnion(self.texts(below: inner))
            } else if entry.kind == .regular, let file = try? FileDescriptor.open(inner, flags: .readOnly) {
                texts.insert(String(decoding: (try? file.readAll(maximumBytes: 1 << 20)) ?? [], as: UTF8.self))
            }
        }
        return texts
    }
}

/// The same numbers in every run: xorshift64*.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
