import Foundation
import Glibc
import Scenes
import Testing

/// Sound and film through `mediaprep batch`.
@Suite struct ClipBatchTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    func batch(_ more: [String] = [], whileRunning: (Int32) throws -> Void = { _ in }) throws -> Program.Result {
        try Program().run(
            ["batch", "in", "--output", "out", "--json"] + more, in: scratch.url, whileRunning: whileRunning)
    }

    func manifest(_ name: String) throws -> [String: Any] { try #require(scratch.manifest("out/\(name).json")) }

    func notes(_ name: String) throws -> [String] {
        (try manifest(name)["notes"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    func rules(_ name: String) throws -> [String] {
        (try manifest(name)["checks"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
    }

    @Test("each is published byte for byte under the extension of its type, a film with a still picture")
    func published() throws {
        try scratch.write(Clips.tone, to: "in/tone.wav")
        try scratch.write(Clips.film, to: "in/film.MOV")
        try scratch.write(Clips.sound, to: "in/sound.mp4")
        try scratch.write(Album.photo, to: "in/photo.jpg")
        let result = try batch()
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            scratch.files(below: "out") == [
                "film.MOV.jpg", "film.MOV.json", "film.mp4", "photo.jpg", "photo.jpg.json", "sound.m4a",
                "sound.mp4.json", "tone.wav", "tone.wav.json",
            ])
        #expect(scratch.bytes("out/tone.wav") == Clips.tone)
        #expect(scratch.bytes("out/film.mp4") == Clips.film)
        #expect(scratch.bytes("out/sound.m4a") == Clips.sound)

        let film = try manifest("film.MOV")
        let output = try #require(film["output"] as? [String: Any])
        #expect(output["family"] as? String == "movie" && output["media_type"] as? String == "video/mp4")
        #expect(output["uti"] as? String == "public.mpeg-4" && output["extension"] as? String == "mp4")
        #expect(output["width_px"] as? Int == 320 && output["height_px"] as? Int == 240)
        #expect(output["metadata_stripped"] as? Bool == false)
        #expect(output["bytes"] as? Int == Clips.film.count)
        #expect(output["sha256"] as? String == digest(of: Clips.film) && output["file"] as? String == "film.mp4")
        #expect(output["frames"] == nil && film["encoder"] == nil)
        let poster = try #require(film["poster"] as? [String: Any])
        let still = try #require(scratch.bytes("out/film.MOV.jpg"))
        #expect(poster["file"] as? String == "film.MOV.jpg" && poster["sha256"] as? String == digest(of: still))
        #expect(poster["width_px"] as? Int == 320 && poster["family"] as? String == "image")
        let clip = try #require(film["clip"] as? [String: Any])
        #expect((clip["video"] as? [String: Any])?["codec"] as? String == "mpeg4")
        #expect(abs((clip["duration_ms"] as? Int ?? 0) - 1_000) < 60)

        let sound = try #require(try manifest("sound.mp4")["output"] as? [String: Any])
        #expect(sound["family"] as? String == "audio" && sound["width_px"] == nil)
        #expect(try manifest("sound.mp4")["poster"] == nil)
    }

    @Test("a second run finds everything unchanged, and makes again what is gone")
    func again() throws {
        try scratch.write(Clips.film, to: "in/film.mp4")
        try scratch.write(Clips.tone, to: "in/tone.wav")
        _ = try batch()
        let files = scratch.files(below: "out")
        let before = files.map { scratch.bytes("out/\($0)") }
        #expect(try batch(["--quiet"]).status == 0)
        #expect(files.map { scratch.bytes("out/\($0)") } == before)
        let unchanged = try Program().run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(unchanged.count("unchanged") == 2 && unchanged.count("published") == 0)

        try FileManager.default.removeItem(at: scratch.url.appending(path: "out/film.mp4.jpg"))
        let poster = try Program().run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(poster.count("unchanged") == 1 && poster.count("published") == 1)
        try scratch.write([1], to: "out/film.mp4")
        #expect(try Program().run(["batch", "in", "--output", "out"], in: scratch.url).count("published") == 1)
        #expect(
            try Program().run(["batch", "in", "--output", "out", "--force"], in: scratch.url).count("published") == 2)
        #expect(scratch.files(below: "out") == files)
        #expect(scratch.bytes("out/film.mp4") == Clips.film)
    }

    @Test("a dry run tells the same and writes nothing")
    func dryRun() throws {
        try scratch.write(Clips.film, to: "in/film.mp4")
        let result = try Program().run(["batch", "in", "--dry-run", "--json"], in: scratch.url)
        let manifest = try #require(result.manifests.first)
        #expect(manifest["status"] as? String == "planned")
        #expect((manifest["output"] as? [String: Any])?["file"] as? String == "film.mp4")
        #expect(manifest["clip"] != nil && manifest["poster"] == nil)
        #expect(scratch.files(below: "").filter { !$0.hasPrefix("in/") }.isEmpty)
    }

    @Test("two sources never meet, and a third that comes later takes nobody's name")
    func names() throws {
        try scratch.write(Clips.film, to: "in/a.mov")
        #expect(try batch().status == 0)
        #expect(scratch.bytes("out/a.mp4") == Clips.film)
        // The name that the other has so far is this one's own.
        try scratch.write(Clips.sound, to: "in/a.m4a")
        let other = Clips.film + [0, 0, 0, 8] + Array("free".utf8)
        try scratch.write(other, to: "in/a.mp4")
        #expect(try batch().status == 0)
        #expect(scratch.bytes("out/a.mp4") == other)
        #expect(scratch.bytes("out/a.m4a") == Clips.sound)
        #expect(scratch.bytes("out/a.mov.mp4") == Clips.film)
        for name in ["a.mov", "a.mp4", "a.m4a"] {
            let output = try #require(try manifest(name)["output"] as? [String: Any])
            let file = try #require(output["file"] as? String)
            #expect(digest(of: try #require(scratch.bytes("out/\(file)"))) == output["sha256"] as? String)
        }
        let second = try Program().run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(second.count("unchanged") == 3)
    }

    @Test("what mediaprep did not make stays", arguments: ["film.mp4", "film.mp4.jpg"])
    func foreign(name: String) throws {
        try scratch.write(Clips.film, to: "in/film.mp4")
        try scratch.write([1, 2, 3], to: "out/\(name)")
        let result = try batch()
        #expect(result.status == 1)
        #expect(result.rejections["film.mp4"]?.code == "output-exists")
        #expect(scratch.bytes("out/\(name)") == [1, 2, 3])
        #expect(scratch.files(below: "out") == [name, "film.mp4.json"].sorted())
    }

    @Test("a source that becomes another kind leaves nothing of the first behind")
    func otherKind() throws {
        try scratch.write(Clips.film, to: "in/x.bin")
        #expect(try batch().status == 0)
        #expect(scratch.files(below: "out") == ["x.bin.jpg", "x.bin.json", "x.bin.mp4"])
        try scratch.write(Clips.tone, to: "in/x.bin")
        #expect(try batch().status == 0)
        #expect(scratch.files(below: "out") == ["x.bin.json", "x.bin.wav"])
        try scratch.write(Album.photo, to: "in/x.bin")
        #expect(try batch().status == 0)
        #expect(scratch.files(below: "out") == ["x.bin.jpg", "x.bin.json"])
        try scratch.write(Array(Clips.film.prefix(5_000)), to: "in/x.bin")
        #expect(try batch().status == 1)
        #expect(scratch.files(below: "out") == ["x.bin.json"])
    }

    @Test("what is not whole, too large, of another type or renamed is told as what it is")
    func refused() throws {
        try scratch.write(Array(Clips.film.dropLast(500)), to: "in/cut.mp4")
        try scratch.write(Array(Clips.tone.dropLast(2)), to: "in/cut.wav")
        try scratch.write(Tone(seconds: 320).file, to: "in/large.wav")
        try scratch.write(Array("fLaC".utf8) + Clips.tone, to: "in/lossless.mp3")
        try scratch.write(Clips.reel, to: "in/picture.jpg")
        var long = Tone(seconds: 31)
        long.sampleRate = 4_000
        try scratch.write(long.file, to: "in/long.wav")
        let result = try batch()
        #expect(result.status == 1)
        #expect(result.rejections["cut.mp4"]?.code == "truncated")
        #expect(result.rejections["cut.wav"]?.code == "truncated")
        #expect(result.rejections["large.wav"]?.code == "file-too-large")
        #expect(result.rejections["lossless.mp3"]?.code == "type-not-allowed")
        #expect(result.rejections["picture.jpg"]?.code == "extension-mismatch")
        #expect(try rules("long.wav") == ["ATT009"])
    }

    @Test("a worker for films that is killed costs at most the film it was reading", arguments: [SIGSEGV, SIGKILL])
    func killed(signal: Int32) throws {
        for number in 0..<3 {
            try scratch.write(Clips.long + [0, 0, 0, 9] + Array("free".utf8) + [UInt8(number)], to: "in/\(number).mp4")
        }
        try scratch.write(Album.photo, to: "in/photo.jpg")
        let result = try batch(["--deadline", "60"]) { pid in
            let worker = try #require(Self.busyWorker(of: pid))
            kill(worker, signal)
        }
        // It is tried once more by a fresh one.
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.count("decoder crashes") == 1)
        #expect(scratch.bytes("out/photo.jpg") != nil)
        for number in 0..<3 { #expect(scratch.bytes("out/\(number).mp4.jpg") != nil) }
    }

    @Test("the worker for films is missed only where a film comes")
    func missing() throws {
        let installation = try ProgramWithWorker("mediaprep-worker", in: scratch)
        try scratch.write(Album.photo, to: "in/photo.jpg")
        let pictures = try installation.program.run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(pictures.status == 0, "\(pictures.errors)")
        try scratch.write(Clips.film, to: "in/film.mp4")
        let film = try installation.program.run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(film.status == 3)
        #expect(film.errors.contains("mediaprep-clip-worker"))
    }

    @Test("libav is linked by the worker for sound and film and by nothing else that is installed")
    func linked() throws {
        for (name, links) in [("mediaprep", false), ("mediaprep-worker", false), ("mediaprep-clip-worker", true)] {
            let program = try Data(contentsOf: Program.directory.appending(path: name), options: .mappedIfSafe)
            #expect((program.range(of: Data("libavcodec.so".utf8)) != nil) == links, "\(name)")
            #expect((program.range(of: Data("libvips.so".utf8)) != nil) == (name == "mediaprep-worker"), "\(name)")
        }
    }

    /// Waits until the worker for films is in the middle of one; nil when the process ended before.
    static func busyWorker(of pid: Int32) -> Int32? {
        while kill(pid, 0) == 0 {
            let busy = KilledWorkerTests.descendants(of: pid).first { worker in
                let name = (try? String(contentsOfFile: "/proc/\(worker)/comm", encoding: .utf8)) ?? ""
                return name.hasPrefix("mediaprep-clip") && KilledWorkerTests.maps(worker).contains("memfd:snapshot")
            }
            if let busy { return busy }
            sched_yield()
        }
        return nil
    }
}
