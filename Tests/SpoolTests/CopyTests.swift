import Glibc
import Kernel
import Testing

@testable import Spool

/// Files that would have to be copied and are too long for that, cannot be read, or are somebody else's just now.
@Suite struct CopyTests {
    let root: SpoolRoot

    init() throws {
        root = try SpoolRoot()
    }

    @Test("a file with another name that is longer than any that is copied is claimed with it", arguments: [10, 11])
    func longLink(length: Int) throws {
        let spool = try root.spool(longestFile: 10)
        try root.write(String(repeating: "x", count: length), to: "elsewhere")
        try root.link("elsewhere", to: "inbox/a")
        let claim = try spool.take("a", in: root)
        #expect(root.status("elsewhere")?.linkCount == (length > 10 ? 2 : 1))
        #expect(root.tree("work") == ["ID.a1/a"])
        #expect(try spool.end(claim, as: .rejected(manifest: [1], digest: nil)) == .rejected("a"))
        #expect(root.tree() == ["elsewhere", "rejected/a", "rejected/a.json"])
    }

    @Test("so it is when it is taken up again")
    func longLinkResumed() throws {
        try root.write("longer than that", to: "elsewhere")
        try root.makeDirectory("work/0123456789abcdef.a1")
        try root.link("elsewhere", to: "work/0123456789abcdef.a1/a")
        let spool = try root.spool(longestFile: 10)
        guard let entry = try spool.recover().claims.first, let claim = try spool.resume(entry) else {
            throw Unexpected()
        }
        #expect(root.status("elsewhere")?.linkCount == 2)
        _ = try spool.end(claim, as: .deleted)
    }

    @Test("from another mount a longer one is immovable, however little room there is", .enabled(if: canMount))
    func longFromOtherMount() throws {
        try root.mount("inbox")
        let spool = try root.spool(longestFile: 10)
        try root.write(String(repeating: "x", count: 11), to: "inbox/a")
        #expect(try spool.answer(to: root.candidate("a")) == .immovable(.fileTooLarge))
        try root.write(String(repeating: "x", count: 10), to: "inbox/b")
        #expect(try spool.answer(to: root.candidate("b")) == .claimed)
        #expect(root.tree() == ["inbox/a", "work/ID.a0/b"])
    }

    @Test("to another mount a longer one stays in work", .enabled(if: canMount), arguments: ["done", "rejected"])
    func longToOtherMount(_ name: String) throws {
        try root.mount(FilePath(name))
        let spool = try root.spool(longestFile: 10)
        try root.write(String(repeating: "x", count: 11), to: "inbox/a")
        let end: ClaimEnd = name == "done" ? .done(digest: nil) : .rejected(manifest: [1], digest: nil)
        guard case .immovable(_, .fileTooLarge) = try spool.end(spool.take("a", in: root), as: end) else {
            throw Unexpected()
        }
        #expect(root.tree().filter { !$0.hasSuffix(".json") } == ["work/ID.a0/a"])
    }

    @Test("a longer one is told apart by its claim's id, without a look at either", arguments: [false, true])
    func longTwice(isKnown: Bool) throws {
        let text = "longer than that"
        let spool = try root.spool(longestFile: 10)
        var places: [FilePath] = []
        for _ in 0..<2 {
            try root.write(text, to: "inbox/a")
            let place = try spool.end(spool.take("a", in: root), as: .done(digest: isKnown ? sha(text) : nil))
            guard case .done(let name) = place else { throw Unexpected() }
            places.append(name)
        }
        #expect(places[0] == "a" && places[1] != "a")
        #expect((places[1] == FilePath("a.\(sha(text).prefix(16))")) == isKnown)
    }

    @Test("a file on a bad sector is its own trouble", .enabled(if: canMount))
    func unreadable() async {
        await #expect(processExitsWith: .success) {
            let root = try SpoolRoot()
            try root.mount("other")
            try root.makeDirectory("other/inbox")
            let spool = try root.spool()
            let remote = try Spool(
                SpoolPlaces(
                    root: root.path.appending("second"), inbox: root.path.appending("other/inbox")),
                syncs: true, longestFile: longestFile)
            try root.write("content", to: "elsewhere")
            try root.link("elsewhere", to: "inbox/linked")
            try root.write("content", to: "inbox/plain")
            try root.write("content", to: "other/inbox/a")
            let status = try FileDescriptor.status(of: root.path.appending("other/inbox/a"))
            try DeniedCall.deny(DeniedCall.pread, with: .inputOutput)

            // It has its other name still, and whoever reads it finds out.
            let linked = try spool.take("linked", in: root)
            #expect(root.status("elsewhere")?.linkCount == 2)
            #expect(try spool.end(linked, as: .rejected(manifest: [1], digest: nil)) == .rejected("linked"))
            #expect(try remote.answer(to: Candidate(name: "a", status: status)) == .immovable(.inputOutput))
            #expect(root.tree("second/work").isEmpty)
            #expect(root.read("other/inbox/a") == "content")
            let plain = try spool.take("plain", in: root)
            try root.mount("done")
            guard case .immovable(_, .inputOutput) = try spool.end(plain, as: .done(digest: nil)) else {
                throw Unexpected()
            }
            #expect(root.tree("done").isEmpty)
        }
    }

    @Test("what somebody has a write lease on is looked at again later", .enabled(if: canMount))
    func leased() async {
        await #expect(processExitsWith: .success) {
            // The kernel's word to whoever holds the lease.
            signal(SIGIO, SIG_IGN)
            let root = try SpoolRoot()
            try root.mount("other")
            try root.makeDirectory("other/inbox")
            let spool = try root.spool()
            let remote = try Spool(
                SpoolPlaces(
                    root: root.path.appending("second"), inbox: root.path.appending("other/inbox")),
                syncs: true, longestFile: longestFile)
            try root.write("content", to: "elsewhere")
            try root.link("elsewhere", to: "inbox/linked")
            try root.write("content", to: "other/inbox/a")
            let status = try FileDescriptor.status(of: root.path.appending("other/inbox/a"))
            let leases = [try Lease(root.path.appending("elsewhere")), try Lease(root.path.appending("other/inbox/a"))]
            #expect(try spool.answer(to: root.candidate("linked")) == .changed)
            #expect(try remote.answer(to: Candidate(name: "a", status: status)) == .changed)
            #expect(root.tree("inbox") == ["linked"])
            #expect(root.tree("second/work").isEmpty && root.tree("work").isEmpty)
            for lease in leases { lease.end() }
            #expect(try spool.answer(to: root.candidate("linked")) == .claimed)
            #expect(try remote.answer(to: Candidate(name: "a", status: status)) == .claimed)
        }
    }

    @Test("a lease on a claim's file does not keep its outcome from being published")
    func leasedInWork() async {
        await #expect(processExitsWith: .success) {
            signal(SIGIO, SIG_IGN)
            let root = try SpoolRoot()
            let spool = try root.spool()
            try root.write("content", to: "inbox/a")
            let claim = try spool.take("a", in: root)
            let lease = try Lease(spool.places.work.appending(claim.directory.name).appending("a"))
            try spool.publish(manifest: [1].span, of: claim, notifies: false)
            #expect(try spool.end(claim, as: .done(digest: nil)) == .done("a"))
            lease.end()
        }
    }

    @Test("a fault of the disk is told in the same words every time", .enabled(if: canMount))
    func sameWords() throws {
        try root.mount("work", options: "size=64k")
        let spool = try root.spool()
        let text = String(repeating: "x", count: 200_000)
        try root.write(text, to: "inbox/copied")
        let copied = Set(try (0..<3).map { _ in try sentence(of: "copied", in: spool) })
        #expect(copied == ["\(spool.places.work): No space left on device; free space or inodes there."])
    }

    @Test("so is one without inodes", .enabled(if: canMount))
    func sameWordsWithoutInodes() throws {
        try root.mount("work", options: "nr_inodes=1")
        let spool = try root.spool()
        try root.write("content", to: "inbox/a")
        let told = Set(try (0..<3).map { _ in try sentence(of: "a", in: spool) })
        #expect(told == ["\(spool.places.work): No space left on device; free space or inodes there."])
    }

    @Test("so is one that a file with another name meets", .enabled(if: canMount))
    func sameWordsForLinks() throws {
        try root.mount("disk", options: "size=256k")
        let places = SpoolPlaces(root: root.path.appending("disk"))
        let spool = try Spool(places, syncs: true, longestFile: longestFile)
        try root.write(String(repeating: "x", count: 150_000), to: "disk/elsewhere")
        try root.link("disk/elsewhere", to: "disk/inbox/a")
        let candidate = Candidate(name: "a", status: try FileDescriptor.status(of: places.inbox.appending("a")))
        var told: Set<String> = []
        for _ in 0..<3 {
            let failure = #expect(throws: SpoolFailure.self) { try spool.answer(to: candidate) }
            told.insert(failure?.description ?? "")
        }
        #expect(told == ["\(places.work): No space left on device; free space or inodes there."])
        #expect(root.tree("disk/inbox") == ["a"])
    }

    private func sentence(of name: FilePath, in spool: Spool) throws -> String {
        let failure = #expect(throws: SpoolFailure.self) { try spool.answer(to: root.candidate(name)) }
        return failure?.description ?? ""
    }

    @Test("what was taken out and cannot be put back is told of, by an answer")
    func stranded() throws {
        let spool = try root.spool()
        try root.write("first", to: "inbox/a")
        let candidate = try root.candidate("a")
        try root.write("second, longer", to: "inbox/a")
        let inbox = try spool.open(spool.places.inbox)
        let work = try spool.open(spool.places.work)
        // As when it was changed after the first look, and its name was taken after the rename.
        let directory = try spool.makeDirectory(in: work, state: .attempt(1))
        try root.rename("inbox/a", to: FilePath("work").appending(directory.name).appending("a"))
        try root.write("third", to: "inbox/a")
        guard case .changed = try spool.accept(candidate, in: directory, inbox: inbox, work: work) else {
            throw Unexpected()
        }
        let entries = spool.takeStranded()
        #expect(entries.map(\.name) == ["a"])
        #expect(root.read("inbox/a") == "third")
        guard let entry = entries.first, let claim = try spool.resume(entry) else { throw Unexpected() }
        #expect(try spool.end(claim, as: .done(digest: nil)) == .done("a"))
        #expect(root.read("done/a") == "second, longer")
    }
}

/// A write lease, which keeps others from opening the file.
private final class Lease: Sendable {
    /// F_SETLEASE
    private static let setLease: Int32 = 1024
    private let file: FileDescriptor

    init(_ path: FilePath) throws {
        file = try FileDescriptor.open(path, flags: .readWrite)
        guard fcntl(file.rawValue, Self.setLease, F_WRLCK) == 0 else { throw Errno.current }
    }

    func end() {
        _ = fcntl(file.rawValue, Self.setLease, F_UNLCK)
    }
}
