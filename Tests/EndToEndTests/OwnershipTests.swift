import Foundation
import Hashing
import Kernel
import Testing

@testable import Service

/// Whose a file in the output is, when several runs, sources and strangers have been there.
@Suite struct OwnershipTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    func batch(_ arguments: [String] = ["in", "--output", "out"]) throws -> Program.Result {
        try Program().run(["batch"] + arguments, in: scratch.url)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: scratch.url.appending(path: path))
    }

    func sha(_ path: String) -> String? {
        (scratch.manifest(path)?["output"] as? [String: Any])?["sha256"] as? String
    }

    @Test("a result keeps its name when the one that it would have is free again, and its neighbour's stays")
    func handedBack() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.sticker, to: "in/a.png")
        #expect(try batch().status == 0)
        let before = scratch.bytes("out/a.jpg")
        try remove("in/a.jpg")
        #expect(try batch().output.contains("unchanged"))
        #expect(try batch(["in", "--output", "out", "--short-edge", "100"]).status == 0)
        #expect(scratch.files(below: "out") == ["a.jpg", "a.jpg.json", "a.png.jpg", "a.png.json"])
        #expect(scratch.bytes("out/a.jpg") == before)
        #expect(sha("out/a.jpg.json") == scratch.bytes("out/a.jpg").map { Digest.hex($0.span) })
        #expect(sha("out/a.png.json") == scratch.bytes("out/a.png.jpg").map { Digest.hex($0.span) })
    }

    @Test("the intact result of a source outside of this batch is not taken")
    func outsideOfBatch() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        #expect(try batch().status == 0)
        try scratch.write(Album.sticker, to: "other/a.png")
        let result = try batch(["other", "--output", "out"])
        #expect(result.status == 1)
        #expect(result.errors.contains("output-exists"))
        #expect(sha("out/a.jpg.json") == scratch.bytes("out/a.jpg").map { Digest.hex($0.span) })
    }

    @Test("two spellings of one letter are two names")
    func canonicalEquivalence() throws {
        try scratch.write(Album.sticker, to: "in/\u{E9}.png")
        #expect(try batch().status == 0)
        try remove("in/\u{E9}.png")
        try scratch.write(Album.sticker, to: "in/e\u{301}.png")
        try scratch.write(Array("mine".utf8), to: "out/e\u{301}.jpg")
        #expect(try batch().status == 1)
        #expect(scratch.bytes("out/e\u{301}.jpg") == Array("mine".utf8))
    }

    @Test("a name that is no UTF-8 is not taken for its escaped form")
    func escapedNames() throws {
        try scratch.write(Album.sticker, to: "in/%FF.png")
        let raw = Array((scratch.url.appending(path: "in").path + "/").utf8) + [0xFF] + Array(".png".utf8)
        func writeRaw(_ bytes: [UInt8]) throws {
            let file = try FileDescriptor.open(FilePath(bytes: raw), flags: [.writeOnly, .create])
            try file.writeAll(bytes.span)
        }
        try writeRaw(Album.sticker)
        #expect(try batch().status == 0)
        #expect(try batch().output.contains("unchanged"))
        try writeRaw(Array(repeating: 0, count: Album.sticker.count))
        #expect(try batch().status == 1)
        let names = try DirectoryListing(
            of: FileDescriptor.open(FilePath(scratch.url.appending(path: "out").path), flags: .directory)
        ).entries.map(\.name)
        #expect(
            names == ["%FF.jpg", "%FF.png.json", FilePath(bytes: [0xFF] + Array(".png.json".utf8))],
            "the picture of the bad one is gone, that of the other stays")
    }

    @Test("what a killed run left is gone after the next")
    func debris() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        #expect(try batch().status == 0)
        let document = scratch.bytes("out/a.jpg.json") ?? []
        try scratch.write([1, 2, 3], to: "out/" + OutputNames.temporary(for: "a.jpg").display)
        try scratch.write(document, to: "out/" + OutputNames.pending("a.jpg.json").display)
        #expect(try batch().status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.url.appending(path: "out").path).sorted() == [
                "a.jpg", "a.jpg.json",
            ])
    }

    @Test("a result that is handed in again is not replaced by its own smaller copy")
    func ownSource() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        #expect(try batch().status == 0)
        let before = scratch.bytes("out/a.jpg")
        for options in [["--short-edge", "100"], ["--max-bytes", "1000"]] {
            let status = try batch(["out/a.jpg", "--output", "out"] + options).status
            let isKept = scratch.bytes("out/a.jpg") == before
            #expect(status == 1 && isKept, "\(options)")
        }
    }

    @Test("among several directories each has to have a name", arguments: [".", "..", "in/.."])
    func nameless(source: String) throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        let result = try batch([source, "in", "--output", "out"])
        #expect(result.status == 2)
        #expect(result.errors.contains("gives no name"))
    }
}
