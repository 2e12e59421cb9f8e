import Foundation
import Testing

/// What a second run over the same output does.
@Suite struct RerunTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.sticker, to: "in/b.png")
        #expect(try batch([]).status == 0)
    }

    func batch(_ more: [String]) throws -> Program.Result {
        try Program().run(["batch", "in", "--output", "out"] + more, in: scratch.url)
    }

    /// The row of the table at the end.
    func count(_ label: String, in result: Program.Result) -> Int? {
        result.output.split(separator: "\n").first { $0.hasPrefix(label + " ") }
            .flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    }

    @Test("unchanged sources are skipped, and their manifests told again")
    func unchanged() throws {
        let before = scratch.bytes("out/a.jpg.json")
        let result = try batch([])
        #expect(result.status == 0)
        #expect(count("unchanged", in: result) == 2)
        #expect(count("published", in: result) == 0)
        #expect(scratch.bytes("out/a.jpg.json") == before)
        #expect(try batch(["--json"]).manifests.count == 2)
    }

    struct Change: CustomTestStringConvertible, Sendable {
        var what: String
        var options: [String] = []
        var published: Int
        var make: @Sendable (Scratch) throws -> Void = { _ in }
        var testDescription: String { what }
    }

    @Test(
        "what is no longer the right outcome is made again",
        arguments: [
            Change(what: "other bytes", published: 1) { try $0.write(Album.other, to: "in/a.jpg") },
            Change(what: "a result was damaged", published: 1) { scratch in
                var bytes = scratch.bytes("out/a.jpg") ?? []
                bytes[bytes.count / 2] ^= 1
                try scratch.write(bytes, to: "out/a.jpg")
            },
            Change(what: "a result is gone", published: 1) { scratch in
                try FileManager.default.removeItem(at: scratch.url.appending(path: "out/b.jpg"))
            },
            Change(what: "a manifest is garbage", published: 1) { try $0.write([0, 1, 2], to: "out/a.jpg.json") },
            Change(what: "another setting", options: ["--quality", "70"], published: 2),
            Change(what: "force", options: ["--force"], published: 2),
        ])
    func again(_ change: Change) throws {
        try change.make(scratch)
        let result = try batch(change.options)
        #expect(result.status == 0, "\(result.errors)")
        #expect(count("published", in: result) == change.published)
        #expect(scratch.files(below: "out") == ["a.jpg", "a.jpg.json", "b.jpg", "b.png.json"])
    }

    @Test("a source that went bad takes its published result along")
    func wentBad() throws {
        try scratch.write(Album.broken, to: "in/a.jpg")
        #expect(try batch([]).status == 1)
        #expect(scratch.files(below: "out") == ["a.jpg.json", "b.jpg", "b.png.json"])
        #expect(scratch.manifest("out/a.jpg.json")?["status"] as? String == "rejected")
    }

    @Test("a file that mediaprep did not make is never replaced")
    func foreign() throws {
        try scratch.write(Array("mine".utf8), to: "out/c.jpg")
        try scratch.write(Album.other, to: "in/c.jpg")
        let result = try batch(["--force"])
        #expect(result.status == 1)
        #expect(result.errors.contains("output-exists"))
        #expect(scratch.bytes("out/c.jpg") == Array("mine".utf8))
    }

    @Test("a run that was killed between picture and manifest is finished by the next")
    func killedBetween() throws {
        try FileManager.default.removeItem(at: scratch.url.appending(path: "out/a.jpg.json"))
        let result = try batch([])
        #expect(result.status == 0, "\(result.errors)")
        #expect(count("unchanged", in: result) == 1)
        #expect(scratch.manifest("out/a.jpg.json")?["status"] as? String == "published")
    }
}
