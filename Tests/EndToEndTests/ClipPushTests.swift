import Foundation
import Glibc
import Scenes
import Testing

/// Pushes with pictures, films and sounds.
@Suite struct ClipPushTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static let mixed = PushFiles(files: [
        "a.jpg": Album.photo, "b.mov": Clips.film, "c.wav": Clips.tone, "d.mp4": Clips.sound,
        "push.json": PushFiles.order("c.wav", "b.mov", "d.mp4", "a.jpg"),
    ])
    private static let order = ["c.wav", "b.mov", "d.mp4", "a.jpg"]

    private func batch(_ more: String...) throws -> Program.Result {
        try Program().run(["batch", "--group", "in/push", "--output", "out"] + more, in: scratch.url)
    }

    private func outcome(_ path: String) throws -> PushOutcome {
        PushOutcome(manifest: try #require(scratch.manifest(path)))
    }

    private func posters(_ outcome: PushOutcome) -> [[String: Any]?] {
        outcome.attachments.map { $0["poster"] as? [String: Any] }
    }

    @Test("a batch publishes them in order, a film as it is and with the still picture that it has alone")
    func inBatch() throws {
        try Self.mixed.write(to: "in/push", in: scratch)
        let result = try batch()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.count("published") == 1 && result.count("false answers") == 0)
        let outcome = try outcome("out/push/manifest.json")
        #expect(outcome.names == Self.order)
        #expect(outcome.paths == ["push/c.wav", "push/b.mp4", "push/d.m4a", "push/a.jpg"])
        #expect(
            scratch.files(below: "out/push") == ["a.jpg", "b.mov.jpg", "b.mp4", "c.wav", "d.m4a", "manifest.json"])
        #expect(scratch.bytes("out/push/b.mp4") == Clips.film && scratch.bytes("out/push/c.wav") == Clips.tone)
        #expect(posters(outcome).map { $0?["path"] as? String } == [nil, "push/b.mov.jpg", nil, nil])
        #expect(outcome.attachments.allSatisfy { $0["notes"] == nil })
        // What is not attached takes nothing of what the pictures have.
        #expect(outcome.memory("resident_bytes") == (try residentBytes(of: #require(scratch.bytes("out/push/a.jpg")))))

        try scratch.write(Clips.film, to: "alone/b.mov")
        _ = try Program().run(["batch", "alone", "--output", "alone-out"], in: scratch.url)
        #expect(scratch.bytes("out/push/b.mov.jpg") == scratch.bytes("alone-out/b.mov.jpg"))

        #expect(try batch().count("unchanged") == 1)
        try FileManager.default.removeItem(at: scratch.url.appending(path: "out/push/b.mov.jpg"))
        #expect(try batch().count("published") == 1)
        #expect(try batch("--force").count("published") == 1)
        #expect(scratch.files(below: "out/push").count == 6)
    }

    @Test("serve publishes them in order, and the same push again costs no decoder")
    func inService() throws {
        let root = try scratch.serviceRoot()
        let service = try RunningServe(root, options: ["--base-url", "https://media.example.com/push"])
        service.wait(for: "ready")
        try Self.mixed.put("one", in: scratch)
        let first = try #require(service.wait(for: "published", "rejected").first)
        try Self.mixed.put("two", in: scratch)
        let second = try #require(service.wait(for: "published", "rejected").first)
        service.stop()
        #expect(first["event"] as? String == "published" && first["attachments"] as? Int == 4)
        #expect(second["reused"] as? String == "yes")
        let (one, two) = (try outcome("root/outbox/one.json"), try outcome("root/outbox/two.json"))
        #expect(one.names == Self.order && two.paths == one.paths)
        #expect(scratch.bytes("root/outbox/\(one.paths[1])") == Clips.film)
        let poster = try #require(posters(two)[1])
        #expect((poster["url"] as? String)?.hasPrefix("https://media.example.com/push/") == true)
        let path = try #require(poster["path"] as? String)
        let still = try #require(scratch.bytes("root/outbox/\(path)"))
        #expect(digest(of: still) == poster["sha256"] as? String)
        #expect(scratch.files(below: "root/outbox/media").count == 5)
    }

    @Test("ten films have ten still pictures, and are found unchanged")
    func tenFilms() throws {
        for number in 0..<10 {
            try scratch.write(
                Clips.film + [0, 0, 0, 9] + Array("free".utf8) + [UInt8(number)],
                to: "in/push/\(number).mp4")
        }
        #expect(try batch().status == 0)
        #expect(scratch.files(below: "out/push").count == 21)
        #expect(try outcome("out/push/manifest.json").memory("resident_bytes") == 0)
        #expect(try batch().count("unchanged") == 1)
    }

    @Test("pictures share the memory among themselves, whatever films are between them")
    func capped() throws {
        let wide = try Scene(width: 1400, height: 600, seed: 6).file(SceneFile(.jpeg()))
        for number in [1, 3, 5, 7] { try scratch.write(wide, to: "in/push/\(number).jpg") }
        try scratch.write(Clips.film, to: "in/push/2.mp4")
        try scratch.write(Clips.tone, to: "in/push/4.wav")
        let planned = PushOutcome(manifest: try #require(batch("--dry-run", "--json").manifests.first))
        #expect(try batch().status == 0)
        let made = try outcome("out/push/manifest.json")
        #expect(made.memory("cap_bytes") == 2_064_384 && planned.memory("cap_bytes") == 2_064_384)
        let pictures = try made.paths.filter { $0.hasSuffix(".jpg") }
            .map { try residentBytes(of: #require(scratch.bytes("out/\($0)"))) }
        #expect(pictures.count == 4 && pictures.reduce(0, +) == made.memory("resident_bytes"))
        #expect(pictures.reduce(0, +) <= 8_257_536)
        #expect(posters(made)[1] != nil)
    }

    @Test("a film or sound that is refused refuses all, by its name", arguments: ["b.mov", "c.wav", "a.jpg"])
    func allOrNone(bad: String) throws {
        var push = Self.mixed
        push.files[bad] = push.files[bad].map { Array($0.dropLast($0.count / 3)) }
        try push.write(to: "in/push", in: scratch)
        #expect(try batch().status == 1)
        #expect(scratch.files(below: "out") == ["push/manifest.json"])
        let refused = try outcome("out/push/manifest.json")
        #expect(refused.code == "truncated" && refused.message.hasPrefix("\(bad): "))
        #expect(refused.statuses == Self.order.map { $0 == bad ? "rejected" : "planned" })

        let root = try scratch.serviceRoot()
        let service = try RunningServe(root)
        service.wait(for: "ready")
        try push.put("push", in: scratch)
        service.wait(for: "rejected")
        service.stop()
        #expect(scratch.files(below: "root/outbox/media") == [])
        #expect(try outcome("root/outbox/push.json").message.hasPrefix("\(bad): "))
    }

    @Test("a service that is killed over a film tells nothing, and makes all of it after its next start")
    func killed() throws {
        let root = try scratch.serviceRoot()
        var push = Self.mixed
        push.files["b.mov"] = Clips.long
        try push.put("push", in: scratch)
        let service = try RunningServe(root, options: ["--jobs", "1"])
        service.wait(for: "ready")
        #expect(ClipBatchTests.busyWorker(of: service.pid) != nil)
        service.kill(SIGKILL)
        #expect(service.waitForEnd() == -SIGKILL)
        #expect(scratch.bytes("root/outbox/push.json") == nil)
        #expect(scratch.files(below: "root/outbox/media") == [])
        let next = try RunningServe(root)
        next.wait(for: "published")
        next.stop()
        #expect(try outcome("root/outbox/push.json").names == Self.order)
        #expect(scratch.files(below: "root/done") == push.files.keys.map { "push/\($0)" }.sorted())
    }
}
