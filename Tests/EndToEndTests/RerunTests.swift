import Foundation
import Kernel
import Testing

@testable import Service

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
            Change(what: "a power cut emptied a manifest", published: 1) { try $0.write([], to: "out/a.jpg.json") },
            Change(what: "so was its picture", published: 1) { scratch in
                try scratch.write([0, 0, 0], to: "out/a.jpg.json")
                try scratch.write([], to: "out/a.jpg")
            },
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

    @Test(
        "a file that mediaprep did not make is never replaced",
        arguments: ["out/c.jpg", "out/c.jpg.json"], [Album.other, Album.broken])
    func foreign(path: String, source: [UInt8]) throws {
        try scratch.write(Array(#"{"mine": 1}"#.utf8), to: path)
        try scratch.write(source, to: "in/c.jpg")
        let result = try batch(["--force"])
        #expect(result.status == 1)
        #expect(result.errors.contains(source == Album.other ? "output-exists" : "truncated"))
        #expect(scratch.bytes(path) == Array(#"{"mine": 1}"#.utf8))
    }

    @Test("a directory where a file belongs, or the other way about, costs that one source")
    func wrongKinds() throws {
        try scratch.write(Album.other, to: "in/c.jpg")
        try scratch.write(Album.other, to: "in/d.jpg")
        try scratch.write(Album.other, to: "in/e/f.jpg")
        try scratch.write([], to: "out/c.jpg.json/x")
        try scratch.write([], to: "out/d.jpg/x")
        try scratch.write([], to: "out/e")
        let result = try batch(["--json"])
        #expect(result.status == 1)
        for manifest in result.manifests where manifest["rejection"] != nil {
            #expect(manifest["status"] as? String == "rejected")
            #expect(manifest["output"] == nil)
        }
        let codes = result.manifests.compactMap { ($0["rejection"] as? [String: Any])?["code"] as? String }
        #expect(codes == ["output-exists", "output-exists", "output-exists"])
        #expect(result.manifests.count == 5)
    }

    @Test("a directory that has a manifest's name does not get in its way")
    func directoryNamedLikeManifest() throws {
        try scratch.write(Album.other, to: "in/c")
        try scratch.write(Album.other, to: "in/c.json/d.jpg")
        let result = try batch([])
        #expect(result.status == 0, "\(result.errors)")
        #expect(scratch.bytes("out/c.json/d.jpg") != nil)
        #expect(scratch.files(below: "out").contains { $0.hasPrefix("c-") && $0.hasSuffix(".json") })
    }

    @Test("a run that was killed between picture and manifest is finished by the next", arguments: [false, true])
    func killedBetween(turnedBad: Bool) throws {
        let pending = OutputNames.pending("a.jpg.json").display
        try FileManager.default.moveItem(
            at: scratch.url.appending(path: "out/a.jpg.json"), to: scratch.url.appending(path: "out/" + pending))
        if turnedBad { try scratch.write(Album.broken, to: "in/a.jpg") }
        let result = try batch(["--short-edge", "300"])
        #expect(result.status == (turnedBad ? 1 : 0), "\(result.errors)")
        #expect(scratch.files(below: "out") == (turnedBad ? [] : ["a.jpg"]) + ["a.jpg.json", "b.jpg", "b.png.json"])
    }

    @Test("a fault that may pass takes no earlier result along")
    func passingFaults() throws {
        let before = scratch.files(below: "out").map { scratch.bytes("out/" + $0) }
        let list = Data("in/a.jpg\nin/b.png\n".utf8)
        let fromList = ["batch", "--files-from", "-", "--output", "list"]
        #expect(try Program().run(fromList, in: scratch.url, input: list).status == 0)
        try FileManager.default.removeItem(at: scratch.url.appending(path: "in/a.jpg"))
        let gone = try Program().run(fromList, in: scratch.url, input: list)
        #expect(gone.status == 1)
        #expect(gone.errors.contains("unreadable"))
        #expect(scratch.bytes("list/in/a.jpg") != nil)
        #expect(scratch.manifest("list/in/a.jpg.json")?["status"] as? String == "published")

        let starved = try Program(executable: URL(filePath: "/bin/sh")).run(
            ["-c", "ulimit -n 9; exec \(Program().executable.path) batch in --output out --force"], in: scratch.url)
        #expect(starved.status == 3, "\(starved.errors)")
        #expect(scratch.files(below: "out").map { scratch.bytes("out/" + $0) } == before)
    }
}
