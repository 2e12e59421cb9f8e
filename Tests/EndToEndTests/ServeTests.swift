import Foundation
import Hashing
import Misbehaviour
import Scenes
import Testing

/// The service: from the inbox to the outbox, and through what happens meanwhile.
@Suite struct ServeTests {
    let scratch: Scratch
    let root: URL

    init() throws {
        scratch = try Scratch()
        root = try scratch.serviceRoot()
    }

    /// Puts a whole file into the inbox at once.
    func put(_ bytes: [UInt8], _ name: String) throws {
        try scratch.put(bytes, name)
    }

    func manifest(_ name: String) throws -> [String: Any] {
        try #require(scratch.manifest("root/outbox/\(name).json"))
    }

    /// Everything that is in the root, but for what the service keeps for itself.
    var files: [String] {
        scratch.files(below: "root").filter {
            !["lock", "outbox/.lock", "state.json"].contains($0) && !$0.hasPrefix("outbox/.index/")
        }
    }

    @Test("each file has one outcome, and its original one place")
    func outcomes() throws {
        let service = try RunningServe(root, options: ["--base-url", "https://media.example.com/push/"])
        service.wait(for: "ready")
        try put(Album.photo, "photo.jpg")
        try put(Album.broken, "broken.jpg")
        try put(Album.sticker, "sticker.png")
        service.wait(for: "published", "rejected", count: 3)
        service.kill(SIGTERM)
        #expect(service.waitForEnd() == 0)

        let photo = try #require(manifest("photo.jpg")["output"] as? [String: Any])
        let path = try #require(photo["path"] as? String)
        let bytes = try #require(scratch.bytes("root/outbox/\(path)"))
        let digest = Digest.hex(bytes.span)
        #expect(path == "media/\(digest.prefix(2))/\(digest).jpg")
        #expect(photo["url"] as? String == "https://media.example.com/push/\(digest.prefix(2))/\(digest).jpg")
        #expect(photo["sha256"] as? String == digest)
        #expect(try manifest("broken.jpg")["status"] as? String == "rejected")
        let sticker = try #require(manifest("sticker.png")["output"] as? [String: Any])
        #expect(
            files
                == [
                    "done/photo.jpg", "done/sticker.png", "outbox/broken.jpg.json", "outbox/\(path)",
                    "outbox/\(try #require(sticker["path"] as? String))", "outbox/photo.jpg.json",
                    "outbox/sticker.png.json", "rejected/broken.jpg", "rejected/broken.jpg.json",
                ].sorted())
        #expect(scratch.bytes("root/done/photo.jpg") == Album.photo)
        #expect(scratch.bytes("root/rejected/broken.jpg.json") == scratch.bytes("root/outbox/broken.jpg.json"))
    }

    @Test("an outcome is the one that a batch has")
    func sameAsBatch() throws {
        try scratch.write(Album.busy, to: "in/busy.jpg")
        let batch = try Program().run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(batch.status == 0)
        let service = try RunningServe(root)
        service.wait(for: "ready")
        try put(Album.busy, "busy.jpg")
        let event = try #require(service.wait(for: "published").first)
        let digest = try #require(event["id"] as? String)
        #expect(scratch.bytes("out/busy.jpg") == scratch.bytes("root/outbox/media/\(digest.prefix(2))/\(digest).jpg"))
    }

    @Test("the same bytes under another name cost no decoder", arguments: ["--originals=keep", "--originals=delete"])
    func reuse(option: String) throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        let service = try RunningServe(root, options: ["--jobs", "1", option], program: installation.program)
        service.wait(for: "ready")
        try put(Album.photo, "one.jpg")
        service.wait(for: "published")
        try put(Album.photo, "two.jpg")
        let event = try #require(service.wait(for: "published").first)
        #expect(event["name"] as? String == "two.jpg")
        #expect(event["reused"] as? String == "yes")
        service.kill(SIGTERM)
        #expect(service.waitForEnd() == 0)
        let two = try manifest("two.jpg")
        #expect(two["name"] as? String == "two.jpg")
        #expect((two["source"] as? [String: Any])?["name"] as? String == "two.jpg")
        func output(_ name: String) -> Substring? {
            let text = scratch.bytes("root/outbox/\(name).json").map { String(decoding: $0, as: UTF8.self) }
            return text?.split(separator: "\n").first { $0.hasPrefix("  \"output\":") }
        }
        #expect(output("one.jpg") != nil && output("one.jpg") == output("two.jpg"))
        #expect(files.filter { $0.hasPrefix("outbox/media") }.count == 1)
        #expect(files.filter { $0.hasPrefix("done/") }.count == (option == "--originals=keep" ? 2 : 0))
    }

    @Test("a decoder's crash costs one picture, and the service stays")
    func crash() throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        let service = try RunningServe(root, program: installation.program)
        service.wait(for: "ready")
        let width = Hook.segmentation.rawValue
        try put(Scene(width: width, height: 90, seed: 1).file(SceneFile(.jpeg())), "poison.jpg")
        try put(Album.photo, "photo.jpg")
        let told = service.wait(for: "published", "rejected", count: 2)
        #expect(Set(told.compactMap { $0["name"] as? String }) == ["poison.jpg", "photo.jpg"])
        #expect(told.compactMap { $0["code"] as? String } == ["decoder-crashed"])
        #expect(scratch.bytes("root/rejected/poison.jpg") != nil)
    }

    @Test("a file that a killed service had in work is tried once more, and then not again")
    func killedTwice() throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        let hang = try Scene(width: Hook.sleep.rawValue, height: 90, seed: 1).file(SceneFile(.jpeg()))
        try put(hang, "hang.jpg")
        for attempt in 1...2 {
            let service = try RunningServe(
                root, options: ["--deadline-seconds", "600", "--jobs", "1"], program: installation.program)
            service.wait(for: "ready")
            #expect(KilledWorkerTests.busyWorker(of: service.pid) != nil)
            service.kill(SIGKILL)
            #expect(service.waitForEnd() == -SIGKILL)
            #expect(scratch.files(below: "root/work").map { $0.suffix(11) } == ["a\(attempt)/hang.jpg"[...].suffix(11)])
        }
        let last = try RunningServe(root, program: installation.program)
        let event = try #require(last.wait(for: "rejected").first)
        #expect(event["code"] as? String == "crashed")
        last.kill(SIGTERM)
        #expect(last.waitForEnd() == 0)
        #expect(scratch.bytes("root/rejected/hang.jpg") == hang)
        #expect(scratch.files(below: "root/work") == [])
    }

    @Test("what is in work when the service is stopped goes back to the inbox", arguments: [1, 2])
    func stopped(signals: Int) throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        let hang = try Scene(width: Hook.sleep.rawValue, height: 90, seed: 1).file(SceneFile(.jpeg()))
        let service = try RunningServe(
            root, options: ["--deadline-seconds", "600", "--jobs", "1"], program: installation.program)
        service.wait(for: "ready")
        try put(hang, "hang.jpg")
        #expect(KilledWorkerTests.busyWorker(of: service.pid) != nil)
        for _ in 1...signals {
            service.kill(SIGTERM)
            service.wait(for: "stopping")
        }
        #expect(service.waitForEnd() == 0)
        #expect(files == ["inbox/hang.jpg"])
    }

    @Test("one service a root: the second ends with 75 and touches nothing")
    func second() throws {
        let service = try RunningServe(root)
        service.wait(for: "ready")
        let before = files
        let second = try RunningServe(root)
        #expect(second.waitForEnd() == 75)
        #expect(files == before)
        try put(Album.photo, "photo.jpg")
        #expect(service.wait(for: "published").count == 1)
    }

    static let nested = [
        ["--outbox", "inbox"], ["--outbox", "inbox/out"], ["--inbox", "outbox/in"], ["--inbox", "outbox"],
        ["--inbox", "work"], ["--outbox", "done/out"],
    ]

    @Test("directories that lie in each other are refused", arguments: nested)
    func nesting(options: [String]) throws {
        let service = try RunningServe(root, options: [options[0], root.appending(path: options[1]).path])
        #expect(service.waitForEnd() == 2)
        #expect(
            service.events.contains {
                "\($0["message"] ?? "")".contains("lies in") || "\($0["message"] ?? "")".contains("serves two purposes")
            })
    }

    @Test("SIGHUP takes the settings over as a whole, or leaves them as they are")
    func reload() throws {
        let file = scratch.url.appending(path: "mediaprep.conf")
        func configure(_ text: String) throws { try Data("[mediaprep]\n\(text)".utf8).write(to: file) }
        try configure("base-url = https://one.example.com/\n")
        let service = try RunningServe(root, options: ["--config", file.path])
        service.wait(for: "ready")
        func url(_ name: String) throws -> String? {
            try put(Album.sticker, name)
            service.wait(for: "published")
            return try (manifest(name)["output"] as? [String: Any])?["url"] as? String
        }
        #expect(try url("1.png")?.hasPrefix("https://one.example.com/") == true)

        try configure("base-url = https://two.example.com/\n")
        service.kill(SIGHUP)
        service.wait(for: "reloaded")
        #expect(try url("2.png")?.hasPrefix("https://two.example.com/") == true)

        try configure("base-url = https://three.example.com/\nno-such-key = 1\n")
        service.kill(SIGHUP)
        let refusal = try #require(service.wait(for: "not-reloaded").first)
        #expect("\(refusal["message"] ?? "")".contains("no-such-key"))
        #expect(try url("3.png")?.hasPrefix("https://two.example.com/") == true)

        try configure("base-url = https://four.example.com/\njobs = 7\n")
        service.kill(SIGHUP)
        let fixed = try #require(service.wait(for: "not-reloaded").first)
        #expect("\(fixed["message"] ?? "")".contains("jobs"))
        #expect(try url("4.png")?.hasPrefix("https://two.example.com/") == true)
    }

    @Test("the notify command gets each manifest, and is run again until it succeeds")
    func notify() throws {
        let script = scratch.url.appending(path: "hook")
        let told = scratch.url.appending(path: "told").path
        // Fails the first time it is run.
        try Data("#!/bin/sh\n[ -e \(told).1 ] || { : > \(told).1; exit 1; }\ncat >> \(told)\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        let service = try RunningServe(root, options: ["--notify-command", script.path, "--notify-jobs", "1"])
        service.wait(for: "ready")
        try put(Album.sticker, "sticker.png")
        service.wait(for: "notify-failed")
        service.wait(for: "notified")
        service.kill(SIGTERM)
        #expect(service.waitForEnd() == 0)
        #expect(scratch.bytes("told") == scratch.bytes("root/outbox/sticker.png.json"))
        #expect(scratch.files(below: "root/outbox/.notify") == [])
    }

    @Test("a broken installation ends the service with 3")
    func noWorker() throws {
        let installation = try ProgramWithWorker("hooked-worker", in: scratch)
        try FileManager.default.removeItem(
            at: installation.program.executable.deletingLastPathComponent().appending(path: "mediaprep-worker"))
        let service = try RunningServe(root, program: installation.program)
        #expect(service.waitForEnd() == 3)
    }

    @Test("films wait in the inbox where there is no worker for them, and pictures go on")
    func noClipWorker() throws {
        let installation = try ProgramWithWorker("mediaprep-worker", in: scratch)
        let service = try RunningServe(root, options: ["--jobs", "1"], program: installation.program)
        service.wait(for: "ready")
        try put(Clips.film, "film.mp4")
        let event = try #require(service.wait(for: "postponed").first)
        #expect(event["name"] as? String == "film.mp4")
        #expect((event["message"] as? String)?.contains("mediaprep-clip-worker") == true)
        try put(Album.photo, "photo.jpg")
        #expect(service.wait(for: "published").first?["name"] as? String == "photo.jpg")
        #expect(service.events.count { $0["event"] as? String == "stalled" } == 1)
        service.kill(SIGTERM)
        #expect(service.waitForEnd() == 0)
        #expect(scratch.bytes("root/inbox/film.mp4") == Clips.film)
        #expect(scratch.files(below: "root/work") == [])
    }
}
