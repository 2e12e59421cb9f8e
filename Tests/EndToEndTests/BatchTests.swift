import Foundation
import Scenes
import Testing

/// `mediaprep batch` as a user runs it: the built program on real files.
@Suite struct BatchTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    func batch(_ arguments: [String], input: Data = Data()) throws -> Program.Result {
        try Program().run(["batch"] + arguments, in: scratch.url, input: input)
    }

    @Test("a tree is mirrored: good files are published, bad ones refused, each with its manifest")
    func mirrors() throws {
        try scratch.write(Album.photo, to: "in/IMG.HEIC")
        try scratch.write(Album.sticker, to: "in/deep/er/sticker.png")
        try scratch.write(Album.broken, to: "in/deep/broken.jpg")
        try scratch.write(Array("just text".utf8), to: "in/notes.txt")
        let result = try batch(["in", "--output", "out"])
        #expect(result.status == 1)
        #expect(result.errors.contains("mediaprep: in/deep/broken.jpg: truncated (ATT007): "))
        #expect(result.output.contains("published"))
        #expect(
            scratch.files(below: "out") == [
                "IMG.HEIC.json", "IMG.jpg", "deep/broken.jpg.json", "deep/er/sticker.jpg", "deep/er/sticker.png.json",
                "notes.txt.json",
            ])
        let manifest = try #require(scratch.manifest("out/IMG.HEIC.json"))
        #expect(manifest["status"] as? String == "published")
        let source = try #require(manifest["source"] as? [String: Any])
        #expect(source["media_type"] as? String == "image/jpeg")
        #expect(source["path"] as? String == "in/IMG.HEIC")
        let output = try #require(manifest["output"] as? [String: Any])
        #expect(output["file"] as? String == "IMG.jpg")
        #expect(output["bytes"] as? Int == scratch.bytes("out/IMG.jpg")?.count)
        #expect(output["width_px"] as? Int == 771)
        #expect(output["height_px"] as? Int == 600)
        let refusal = try #require(scratch.manifest("out/deep/broken.jpg.json"))
        #expect(refusal["status"] as? String == "rejected")
        #expect((refusal["rejection"] as? [String: Any])?["code"] as? String == "truncated")
        #expect(refusal["output"] == nil)
    }

    @Test("a broken colour profile is left out and told once, and EXIF is read beside it")
    func metadata() throws {
        let exif = ExifBlock(orientation: 6, hasCamera: true, hasGPS: true)
        let withExif = Splice.exif(exif, intoPNG: Album.sticker)
        try scratch.write(Splice.chunk("iCCP", Array("x\0\0broken".utf8), intoPNG: withExif), to: "in/a.png")
        try scratch.write(Splice.exif(exif, intoPNG: Album.sticker), to: "in/b.png")
        let result = try batch(["in", "--output", "out"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(scratch.bytes("out/a.jpg") == scratch.bytes("out/b.jpg"))
        for (name, codes) in [("a", ["damaged-metadata", "profile-ignored"]), ("b", [])] {
            let manifest = try #require(scratch.manifest("out/\(name).png.json"))
            let notes = manifest["notes"] as? [[String: Any]] ?? []
            #expect(notes.map { $0["code"] as? String } == codes)
            let source = try #require(manifest["source"] as? [String: Any])
            #expect(source["orientation"] as? Int == 6)
            for member in ["has_gps", "has_camera", "has_date"] { #expect(source[member] as? Bool == true) }
        }
    }

    @Test("everything published is exit status 0, and over the budget the best quality that fits is used")
    func budget() throws {
        try scratch.write(Album.busy, to: "in/busy.jpg")
        let result = try batch(["in", "--output", "out", "--json", "--check-quality", "--max-bytes", "80000"])
        #expect(result.status == 0, "\(result.errors)")
        let encoder = try #require(result.manifests.first?["encoder"] as? [String: Any])
        #expect(encoder["reason"] as? String == "quality-lowered")
        #expect((scratch.bytes("out/busy.jpg")?.count ?? .max) <= 80_000)
    }

    @Test("--json prints one manifest a line and nothing else; the files hold the same")
    func json() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.broken, to: "in/b.jpg")
        let result = try batch(["in", "--output", "out", "--json"])
        #expect(result.output.split(separator: "\n").count == 2)
        #expect(result.manifests.count == 2)
        for manifest in result.manifests {
            let name = try #require(manifest["name"] as? String)
            let file = try #require(scratch.manifest("out/\(name).json"))
            #expect(NSDictionary(dictionary: file) == NSDictionary(dictionary: manifest))
        }
        #expect(result.errors.contains("published"))
    }

    @Test("a GIF of many frames is its first frame")
    func manyFrames() throws {
        let screen: [UInt8] = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        func frame(_ codes: UInt8) -> [UInt8] { [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, codes, 0x02, 0x05, 0] }
        try scratch.write(screen + frame(0x0C) + [0x3B], to: "in/one.gif")
        let others = (0..<5_000).flatMap { _ in frame(0x44) }
        try scratch.write(screen + frame(0x0C) + others + [0x3B], to: "in/many.gif")
        let result = try batch(["in", "--output", "out", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(scratch.bytes("out/one.jpg") == scratch.bytes("out/many.jpg"))
        #expect((scratch.manifest("out/many.gif.json")?["source"] as? [String: Any])?["frames"] as? Int == 5_001)
    }

    @Test("two sources that ask for one name both get one")
    func collisions() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.sticker, to: "in/a.png")
        try scratch.write(Album.other, to: "in/A.JPG")
        #expect(try batch(["in", "--output", "out", "--quiet"]).status == 0)
        #expect(
            scratch.files(below: "out") == ["A.JPG.json", "A.jpg", "a.jpg", "a.jpg.json", "a.png.jpg", "a.png.json"])
    }

    @Test("a name that a newcomer needs is handed over, and nothing of the old outcome stays")
    func handsOver() throws {
        try scratch.write(Album.sticker, to: "in/a.png")
        #expect(try batch(["in", "--output", "out", "--quiet"]).status == 0)
        try scratch.write(Album.photo, to: "in/a.jpg")
        #expect(try batch(["in", "--output", "out", "--quiet"]).status == 0)
        #expect(scratch.files(below: "out") == ["a.jpg", "a.jpg.json", "a.png.jpg", "a.png.json"])
        let output = scratch.manifest("out/a.jpg.json")?["output"] as? [String: Any]
        #expect(output?["bytes"] as? Int == scratch.bytes("out/a.jpg")?.count)
        #expect(output?["width_px"] as? Int == 771)
    }

    @Test("a dry run plans without writing")
    func dryRun() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.broken, to: "in/b.jpg")
        let result = try batch(["in", "--dry-run", "--json"])
        #expect(result.status == 1)
        #expect(Set(result.manifests.compactMap { $0["status"] as? String }) == ["planned", "rejected"])
        let planned = result.manifests.first { $0["status"] as? String == "planned" }
        #expect((planned?["output"] as? [String: Any])?["height_px"] as? Int == 600)
        #expect(scratch.files(below: ".").allSatisfy { $0.hasPrefix("in/") })
    }

    @Test(
        "--files-from takes paths between NULs or line feeds, and keeps them",
        arguments: ["in/a.jpg\u{0}in/deep/b\nc.png\u{0}", "in/a.jpg\n./in/deep/b\nmissing.jpg\n"])
    func filesFrom(list: String) throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.sticker, to: "in/deep/b\nc.png")
        try scratch.write(Album.sticker, to: "in/deep/b")
        let result = try batch(["--files-from", "-", "--output", "out", "--json"], input: Data(list.utf8))
        let outcomes = result.manifests.map { ($0["name"] as? String ?? "", $0["status"] as? String ?? "") }
        if list.contains("\u{0}") {
            #expect(result.status == 0, "\(result.errors)")
            #expect(Set(outcomes.map(\.0)) == ["a.jpg", "b\nc.png"])
            #expect(scratch.bytes("out/in/deep/b\nc.jpg") != nil)
        } else {
            #expect(result.status == 1)
            #expect(Set(outcomes.map(\.1)) == ["published", "rejected"])
            #expect(outcomes.count == 3)
            #expect(scratch.bytes("out/in/deep/b.jpg") != nil)
        }
    }

    @Test("a source that is named twice, in whatever way, is worked on once")
    func namedTwice() throws {
        try scratch.write(Album.photo, to: "a.jpg")
        let result = try batch(
            ["a.jpg", "./a.jpg", "--files-from", "-", "--output", "out", "--json"], input: Data("a.jpg\na.jpg\n".utf8))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.manifests.count == 1)
    }

    @Test("several directories are mirrored below their own names, files beside them")
    func severalSources() throws {
        try scratch.write(Album.photo, to: "one/a.jpg")
        try scratch.write(Album.other, to: "two/a.jpg")
        try scratch.write(Album.sticker, to: "c.png")
        #expect(try batch(["one", "two/", "c.png", "--output", "out", "--quiet"]).status == 0)
        #expect(
            scratch.files(below: "out") == [
                "c.jpg", "c.png.json", "one/a.jpg", "one/a.jpg.json", "two/a.jpg", "two/a.jpg.json",
            ])
    }

    @Test("two albums of one name are not mixed")
    func sameName() throws {
        try scratch.write(Album.photo, to: "one/album/a.jpg")
        try scratch.write(Album.other, to: "two/album/b.jpg")
        let result = try batch(["one/album", "two/album", "--output", "out"])
        #expect(result.status == 2)
        #expect(result.errors.contains("one/album and two/album"))
        #expect(try batch(["one/album", "one/album/", "--output", "out", "--quiet"]).status == 0)
        #expect(scratch.files(below: "out") == ["album/a.jpg", "album/a.jpg.json"])
    }

    struct WrongUsage: CustomTestStringConvertible {
        var arguments: [String]
        var says: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "wrong usage is exit status 2 with a reason, and writes nothing",
        arguments: [
            WrongUsage(arguments: [], says: "no SOURCE"),
            WrongUsage(arguments: ["in"], says: "--output DIR is missing"),
            WrongUsage(arguments: ["in", "--output", "in"], says: "a SOURCE and the --output DIR at once"),
            WrongUsage(arguments: ["in", "--output", "./in/../in/"], says: "a SOURCE and the --output DIR at once"),
            WrongUsage(arguments: ["missing", "--output", "out"], says: "missing: No such file"),
            WrongUsage(arguments: ["in", "--output", "out", "--quality", "101"], says: "--quality takes 1 to 100"),
            WrongUsage(arguments: ["in", "--output", "out", "--jobs", "many"], says: "many"),
            WrongUsage(arguments: ["in", "--output", "out", "--background", "white"], says: "#RRGGBB"),
            WrongUsage(arguments: ["in", "--output", "out", "--nonsense"], says: "--nonsense"),
            WrongUsage(arguments: ["in", "twin/../twin/in", "--output", "out"], says: "No such file"),
            WrongUsage(arguments: [".", "in/..", "--output", "in/out", "--check-quality", "-n"], says: "--dry-run"),
            WrongUsage(arguments: [""], says: "a SOURCE is empty"),
            WrongUsage(arguments: ["in/a.jpg", "twin/a.jpg", "--output", "out"], says: "would have one place in DIR"),
        ])
    func usage(_ wrong: WrongUsage) throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.other, to: "twin/a.jpg")
        let result = try batch(wrong.arguments)
        #expect(result.status == 2)
        #expect(result.errors.contains(wrong.says), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(scratch.files(below: ".") == ["in/a.jpg", "twin/a.jpg"])
    }

    @Test("help and version are told on standard output")
    func help() throws {
        let help = try batch(["--help"])
        #expect(help.status == 0)
        for option in [
            "--output", "--jobs", "--short-edge", "--quality", "--max-bytes", "--background", "--deadline",
            "--files-from", "--dry-run", "--json", "--force", "--check-quality", "--quiet", "--version",
        ] {
            #expect(help.output.contains(option))
        }
        let version = try Program().run(["--version"], in: scratch.url)
        #expect(version.output.hasPrefix("mediaprep "))
        #expect(try batch(["--version"]).output == version.output)
        #expect(try Program().run(["nonsense"], in: scratch.url).errors.contains("no command \"nonsense\""))
        #expect(try Program().run(["--nonsense"], in: scratch.url).errors.contains("no option --nonsense"))
    }
}
