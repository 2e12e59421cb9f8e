import Foundation
import Glibc
import Scenes
import Testing

/// `mediaprep batch --group`: each directory is one push.
@Suite struct BatchPushTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try PushFiles(files: [
            "2.heic": Album.photo, "10.png": Album.sticker, "2.jpg": Album.other,
            "push.json": PushFiles.order("10.png", "2.jpg", "2.heic"),
        ]).write(to: "in/good", in: scratch)
        try PushFiles(files: ["a.jpg": Album.photo, "b.jpg": Album.broken]).write(to: "in/bad", in: scratch)
    }

    func batch(_ arguments: String...) throws -> Program.Result {
        try Program().run(["batch", "--group"] + arguments, in: scratch.url)
    }

    private func outcome(_ name: String) throws -> PushOutcome {
        PushOutcome(manifest: try #require(scratch.manifest("out/\(name)/manifest.json")))
    }

    private static let good = ["10.jpg", "2.heic.jpg", "2.jpg", "manifest.json"]

    @Test("each push has a directory with its results and its manifest, a refused one its manifest alone")
    func published() throws {
        let result = try batch("in/good", "in/bad", "--output", "out")
        #expect(result.status == 1)
        #expect(result.errors.contains("mediaprep: in/bad: truncated (ATT007): b.jpg: "))
        #expect(result.count("published") == 1 && result.count("rejected") == 1)
        #expect(scratch.files(below: "out") == ["bad/manifest.json"] + Self.good.map { "good/\($0)" })
        let good = try outcome("good")
        #expect(good.status == "published")
        #expect(good.names == ["10.png", "2.jpg", "2.heic"])
        #expect(good.paths == ["good/10.jpg", "good/2.jpg", "good/2.heic.jpg"])
        let resident = try good.paths.map { try residentBytes(of: #require(scratch.bytes("out/\($0)"))) }
        #expect(resident.reduce(0, +) == good.memory("resident_bytes"))
        let bad = try outcome("bad")
        #expect(bad.statuses == ["planned", "rejected"])
        #expect(bad.message.hasPrefix("b.jpg: "))
    }

    @Test("a film in a push has its still picture")
    func film() throws {
        try PushFiles(files: ["1.mp4": Clips.reel, "2.jpg": Album.photo]).write(to: "in/film", in: scratch)
        let result = try batch("in/film", "--output", "out")
        #expect(result.status == 0 && result.count("false answers") == 0, "\(result.errors)")
        let film = try #require(try outcome("film").attachments.first)
        #expect(film["notes"] == nil)
        let poster = try #require(film["poster"] as? [String: Any])
        #expect(poster["width_px"] as? Int == 160 && poster["height_px"] as? Int == 120)
        #expect(scratch.bytes("out/film/1.mp4.jpg") != nil)
    }

    @Test("a second run leaves what is unchanged; a changed push is replaced as a whole")
    func again() throws {
        #expect(try batch("in/good", "--output", "out").status == 0)
        let before = try outcome("good")
        #expect(try batch("in/good", "--output", "out").count("unchanged") == 1)
        #expect(try batch("in/good", "--output", "out", "--force").count("published") == 1)
        #expect(try outcome("good").paths == before.paths)
        try FileManager.default.removeItem(at: scratch.url.appending(path: "in/good/push.json"))
        try FileManager.default.removeItem(at: scratch.url.appending(path: "in/good/2.heic"))
        #expect(try batch("in/good", "--output", "out").count("published") == 1)
        #expect(scratch.files(below: "out") == ["good/10.jpg", "good/2.jpg", "good/manifest.json"])
        #expect(try outcome("good").names == ["2.jpg", "10.png"])
        try scratch.write(Album.broken, to: "in/good/2.jpg")
        #expect(try batch("in/good", "--output", "out").status == 1)
        #expect(scratch.files(below: "out") == ["good/manifest.json"])
    }

    @Test("a result that is damaged is made again")
    func damaged() throws {
        _ = try batch("in/good", "--output", "out")
        try scratch.write([1], to: "out/good/2.jpg")
        #expect(try batch("in/good", "--output", "out").count("published") == 1)
        #expect(try residentBytes(of: #require(scratch.bytes("out/good/2.jpg"))) > 0)
    }

    @Test("a push whose names are not UTF-8 is found unchanged")
    func bytesOfNames() throws {
        let directory = scratch.url.appending(path: "in/bytes")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let path = Array("\(directory.path)/".utf8) + [0xFF, 0xFE] + Array(".jpg".utf8)
        let file = path.map { CChar(bitPattern: $0) } + [0]
        try scratch.write(Album.photo, to: "in/plain.jpg")
        #expect(rename(scratch.url.appending(path: "in/plain.jpg").path, file) == 0)
        #expect(try batch("in/bytes", "--output", "out").count("published") == 1)
        #expect(try batch("in/bytes", "--output", "out").count("unchanged") == 1)
    }

    @Test("a dry run plans and writes nothing, and needs no output")
    func dryRun() throws {
        let result = try batch("in/good", "in/bad", "--dry-run", "--json")
        #expect(result.status == 1)
        let outcomes = result.manifests.map { PushOutcome(manifest: $0) }
        #expect(Set(outcomes.map(\.status)) == ["planned", "rejected"])
        let planned = try #require(outcomes.first { $0.status == "planned" })
        #expect(planned.names == ["10.png", "2.jpg", "2.heic"])
        _ = try batch("in/good", "--output", "out")
        #expect(planned.memory("resident_bytes") == (try outcome("good")).memory("resident_bytes"))
    }

    @Test("what a dry run plans together is what is made", arguments: [3, 7])
    func plannedTogether(count: Int) throws {
        let picture = try Scene(width: 1400, height: 600, seed: 6).file(SceneFile(.jpeg()))
        for number in 1...count { try scratch.write(picture, to: "in/many/\(number).jpg") }
        let planned = PushOutcome(manifest: try #require(batch("in/many", "--dry-run", "--json").manifests.first))
        #expect(try batch("in/many", "--output", "out").status == 0)
        let made = try outcome("many")
        for key in ["resident_bytes", "share_bytes", "cap_bytes"] { #expect(planned.memory(key) == made.memory(key)) }
        #expect(made.memory("cap_bytes") != nil)
    }

    static let strangers = ["out/good/mine.txt", "out/good", "out/good/manifest.json"]

    @Test("what mediaprep did not make is never replaced", arguments: strangers)
    func neverReplaced(path: String) throws {
        try scratch.write(Array("mine".utf8), to: path)
        let result = try batch("in/good", "--output", "out", "--json")
        #expect(result.status == 1)
        #expect(result.rejections["good"]?.code == "output-exists")
        #expect(scratch.files(below: ".").filter { $0.hasPrefix("out") } == [path])
        #expect(scratch.bytes(path) == Array("mine".utf8))
    }

    @Test("what somebody put beside results keeps the earlier outcome in its place")
    func strangerBesideResults() throws {
        _ = try batch("in/good", "--output", "out")
        try scratch.write(Array("mine".utf8), to: "out/good/mine.txt")
        let result = try batch("in/good", "--output", "out", "--force", "--json")
        #expect(result.rejections["good"]?.code == "output-exists")
        #expect(scratch.files(below: "out/good") == Self.good.sorted() + ["mine.txt"])
    }

    @Test("what a killed run left under the reserved names is removed, but nothing that it did not make")
    func leftovers() throws {
        _ = try batch("in/good", "--output", "out")
        let manager = FileManager.default
        for name in [".mediaprep-0123456789abcdef.group", ".mediaprep-1123456789abcdef.group"] {
            try manager.copyItem(
                at: scratch.url.appending(path: "out/good"), to: scratch.url.appending(path: "out/\(name)"))
        }
        try scratch.write(Array("mine".utf8), to: "out/.mediaprep-1123456789abcdef.group/mine.txt")
        try manager.createDirectory(
            at: scratch.url.appending(path: "out/.mediaprep-2123456789abcdef.group"), withIntermediateDirectories: true)
        try scratch.write([1], to: "out/.mediaprep-2123456789abcdef.group/.mediaprep-0000000000000000.tmp")
        #expect(try batch("in/good", "--output", "out").count("unchanged") == 1)
        #expect(
            scratch.files(below: "out")
                == [".mediaprep-1123456789abcdef.group/mine.txt"] + Self.good.map { "good/\($0)" })
        #expect(try manager.contentsOfDirectory(atPath: scratch.url.appending(path: "out").path).count == 2)
    }

    @Test("a file, two directories of one name, or the output itself are a wrong command line")
    func wrongCommand() throws {
        try scratch.write(Album.photo, to: "other/good/a.jpg")
        #expect(try batch("in/good/2.jpg", "--output", "out").status == 2)
        #expect(try batch("in/good", "other/good", "--output", "out").status == 2)
        #expect(try batch("in/good", "--output", "in/good").status == 2)
        #expect(try batch("in/..", "--output", "out").status == 2)
        #expect(try batch("in/good", "--output", "out", "--check-quality").status == 2)
        #expect(scratch.bytes("out/good/manifest.json") == nil)
    }

    @Test("listed directories keep their paths, and one that is gone is refused")
    func listed() throws {
        try scratch.write(Array("in/good\nin/gone\n".utf8), to: "list")
        let result = try batch("--files-from", "list", "--output", "out", "--json")
        #expect(result.status == 1)
        #expect(result.rejections["gone"]?.code == "unreadable")
        #expect(scratch.files(below: "out") == ["in/gone/manifest.json"] + Self.good.map { "in/good/\($0)" })
    }
}
