import Foundation
import Hashing
import Scenes
import Testing
import Vips

/// The service where its surroundings are not as they should be.
@Suite struct ServeFaultTests {
    let scratch: Scratch
    let root: URL

    init() throws {
        scratch = try Scratch()
        root = try scratch.serviceRoot()
    }

    func put(_ bytes: [UInt8], _ name: String) throws {
        try scratch.put(bytes, name)
    }

    // MARK: - Originals and their names

    @Test("originals are deleted where that is asked for, but not those that were refused")
    func deleted() throws {
        let service = try RunningServe(root, options: ["--originals", "delete"])
        service.wait(for: "ready")
        try put(Album.photo, "photo.jpg")
        try put(Album.broken, "broken.jpg")
        service.wait(for: "published", "rejected", count: 2)
        service.stop()
        for directory in ["inbox", "work", "done"] { #expect(scratch.files(below: "root/\(directory)") == []) }
        #expect(scratch.files(below: "root/rejected") == ["broken.jpg", "broken.jpg.json"])
        #expect(scratch.bytes("root/rejected/broken.jpg") == Album.broken)
        #expect(scratch.manifest("root/outbox/photo.jpg.json")?["status"] as? String == "published")
    }

    @Test("of two files of one name the manifest is the second's, and both originals are kept")
    func sameName() throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        for bytes in [Album.photo, Album.other] {
            try put(bytes, "photo.jpg")
            service.wait(for: "published")
        }
        service.stop()
        let manifest = try #require(scratch.manifest("root/outbox/photo.jpg.json"))
        let other = Album.other
        let digest = Digest.hex(other.span)
        #expect((manifest["source"] as? [String: Any])?["sha256"] as? String == digest)
        #expect(scratch.bytes("root/done/photo.jpg") == Album.photo)
        #expect(scratch.files(below: "root/done") == ["photo.jpg", "photo.jpg.\(digest.prefix(16))"])
        #expect(scratch.bytes("root/done/photo.jpg.\(digest.prefix(16))") == Album.other)
        #expect(scratch.files(below: "root/outbox/media").count == 2)
    }

    @Test("a name as long as a name can be has an outcome like any other", arguments: [true, false])
    func longName(isPicture: Bool) throws {
        let name = String(repeating: "é", count: 125) + "x.jpg"
        let utf8 = Array(name.utf8)
        #expect(utf8.count == 255)
        let bytes = isPicture ? Album.photo : Album.broken
        let service = try RunningServe(root)
        service.wait(for: "ready")
        try put(bytes, name)
        let event = try #require(service.wait(for: isPicture ? "published" : "rejected").first)
        #expect(event["name"] as? String == name)
        service.stop()
        let outcomes = try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "outbox").path
        ).filter { $0.hasSuffix(".json") }
        let outcome = try #require(outcomes.first)
        #expect(outcomes.count == 1 && outcome.utf8.count <= 255)
        #expect(outcome.hasSuffix("-\(Digest.hex(utf8.span).prefix(32)).json"))
        #expect(scratch.manifest("root/outbox/\(outcome)")?["name"] as? String == name)
        // Beside an original that was refused there is its manifest, whose name has to be longer than its own.
        let originals = scratch.files(below: isPicture ? "root/done" : "root/rejected")
        #expect(isPicture ? originals == [name] : originals.count == 2 && originals[1] == "\(originals[0]).json")
        #expect(scratch.bytes("root/\(isPicture ? "done" : "rejected")/\(originals.first ?? "")") == bytes)
        #expect(scratch.files(below: "root/work") == [])
    }

    // MARK: - What is no file

    enum Thing: String, CaseIterable {
        case symlink, danglingSymlink, fifo, tree
    }

    @Test(
        "what is neither a file nor a directory of files is refused and moved out of the inbox, unread",
        arguments: Thing.allCases)
    func noFile(_ thing: Thing) throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        let made = scratch.url.appending(path: "thing").path
        try scratch.write(Album.photo, to: "secret.jpg")
        switch thing {
        case .symlink: #expect(symlink(scratch.url.appending(path: "secret.jpg").path, made) == 0)
        case .danglingSymlink: #expect(symlink("/nowhere/at/all", made) == 0)
        case .fifo: #expect(mkfifo(made, 0o600) == 0)
        case .tree: try scratch.write(Album.photo, to: "thing/inner/photo.jpg")
        }
        #expect(rename(made, root.appending(path: "inbox/thing.jpg").path) == 0)
        let event = try #require(service.wait(for: "published", "rejected").first)
        #expect(event["name"] as? String == "thing.jpg")
        #expect(event["code"] as? String == "not-a-regular-file")
        // The next one shows that nothing hangs over it.
        try put(Album.photo, "photo.jpg")
        service.wait(for: "published")
        service.stop()

        let rejection = scratch.manifest("root/outbox/thing.jpg.json")?["rejection"] as? [String: Any]
        #expect(rejection?["code"] as? String == "not-a-regular-file")
        let moved = root.appending(path: "rejected/thing.jpg")
        let kind = try FileManager.default.attributesOfItem(atPath: moved.path)[.type] as? FileAttributeType
        switch thing {
        case .symlink, .danglingSymlink: #expect(kind == .typeSymbolicLink)
        case .fifo: #expect(kind == .typeUnknown)
        case .tree: #expect(scratch.bytes("root/rejected/thing.jpg/inner/photo.jpg") == Album.photo)
        }
        #expect(scratch.bytes("secret.jpg") == Album.photo)
        #expect(scratch.files(below: "root/inbox") == [] && scratch.files(below: "root/work") == [])
    }

    // MARK: - Other file systems

    @Test("the outbox may lie on another file system", .enabled(if: ownMounts, "needs the right to mount"))
    func otherMount() throws {
        let mount = try TemporaryMount(at: scratch.url.appending(path: "elsewhere"))
        let outbox = mount.url.appending(path: "outbox")
        let service = try RunningServe(root, options: ["--outbox", outbox.path])
        service.wait(for: "ready")
        try put(Album.photo, "photo.jpg")
        try put(Album.broken, "broken.jpg")
        service.wait(for: "published", "rejected", count: 2)
        service.stop()
        let output = scratch.manifest("elsewhere/outbox/photo.jpg.json")?["output"] as? [String: Any]
        let path = try #require(output?["path"] as? String)
        #expect(scratch.bytes("elsewhere/outbox/\(path)") != nil)
        #expect(scratch.bytes("root/done/photo.jpg") == Album.photo)
        #expect(scratch.files(below: "root/rejected") == ["broken.jpg", "broken.jpg.json"])
    }

    @Test("the inbox may lie on another file system", .enabled(if: ownMounts, "needs the right to mount"))
    func otherInbox() throws {
        let mount = try TemporaryMount(at: scratch.url.appending(path: "elsewhere"))
        let inbox = mount.url.appending(path: "in")
        let service = try RunningServe(root, options: ["--inbox", inbox.path])
        service.wait(for: "ready")
        for (bytes, name) in [(Album.photo, "photo.jpg"), (Album.broken, "broken.jpg")] {
            try scratch.write(bytes, to: "elsewhere/staged")
            try FileManager.default.moveItem(
                at: mount.url.appending(path: "staged"), to: inbox.appending(path: name))
        }
        service.wait(for: "published", "rejected", count: 2)
        service.stop()
        #expect(scratch.bytes("root/done/photo.jpg") == Album.photo)
        #expect(scratch.bytes("root/rejected/broken.jpg") == Album.broken)
        #expect(scratch.files(below: "elsewhere") == [])
    }

    @Test(
        "a full outbox is waited out, and told of once", .enabled(if: ownMounts, "needs the right to mount"))
    func fullOutbox() throws {
        let mount = try TemporaryMount(at: scratch.url.appending(path: "elsewhere"))
        let service = try RunningServe(
            root, options: ["--outbox", mount.url.appending(path: "outbox").path, "--jobs", "1"])
        service.wait(for: "ready")
        let ballast = try mount.fill()
        try put(Album.photo, "photo.jpg")
        let stalled = try #require(service.wait(for: "stalled", "published").first)
        #expect(stalled["event"] as? String == "stalled")
        #expect("\(stalled["message"] ?? "")".contains("No space left on device"))
        try FileManager.default.removeItem(at: ballast)
        service.wait(for: "published")
        service.stop()
        let kinds = service.events.compactMap { $0["event"] as? String }
        #expect(kinds.filter { ["stalled", "resumed"].contains($0) } == ["stalled", "resumed"])
        #expect(scratch.bytes("root/done/photo.jpg") == Album.photo)
    }

    @Test("an inbox that is read-only for a while is waited out", .enabled(if: ownMounts, "needs the right to mount"))
    func readOnlyInbox() throws {
        let mount = try TemporaryMount(at: scratch.url.appending(path: "elsewhere"))
        try scratch.write(Album.photo, to: "elsewhere/in/photo.jpg")
        try mount.remount(readOnly: true)
        let service = try RunningServe(root, options: ["--inbox", mount.url.appending(path: "in").path])
        let first = try #require(service.wait(for: "stalled", "immovable", "published", "rejected").first)
        #expect(first["event"] as? String == "stalled")
        #expect("\(first["message"] ?? "")".contains("Read-only file system"))
        try mount.remount(readOnly: false)
        service.wait(for: "published")
        service.stop()
        #expect(scratch.bytes("root/done/photo.jpg") == Album.photo)
        #expect(scratch.files(below: "elsewhere") == [])
    }

    @Test("what the decoder says beside its result is in the log")
    func remark() throws {
        guard let picture = try? Scene(width: 64, height: 48, seed: 1).file(SceneFile(.avif())) else {
            print("skipped: this libvips does not encode AVIF")
            return
        }
        let service = try RunningServe(root)
        service.wait(for: "ready")
        try put(picture, "photo.avif")
        service.wait(for: "published")
        service.stop()
        let remarks = service.events.filter { $0["event"] as? String == "decoder-remark" }
        #expect(remarks.allSatisfy { $0["name"] as? String == "photo.avif" })
        if Vips.version.hasPrefix("8.14.") {
            #expect(remarks.contains { $0["message"] as? String == "VIPS: heifload: ignoring nclx profile" })
        }
    }
}
