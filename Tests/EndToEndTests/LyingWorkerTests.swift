import Foundation
import Misbehaviour
import Scenes
import Testing

/// Workers that were taken over and say what they like, without a sandbox around them.
@Suite struct LyingWorkerTests {
    let scratch: Scratch
    let installation: ProgramWithWorker
    static let good = HookedWorkerTests.good

    init() throws {
        scratch = try Scratch()
        installation = try ProgramWithWorker("lying-worker", in: scratch)
        for (name, bytes) in Self.good { try scratch.write(bytes, to: "in/\(name)") }
    }

    private func write(_ lie: Lie, as format: SceneFile.Format = .jpeg(), to name: String) throws {
        let scene = Scene(width: lie.rawValue, height: 190, seed: lie.rawValue)
        try scratch.write(scene.file(SceneFile(format)), to: "in/\(name)")
    }

    private func batch(_ arguments: String...) throws -> Program.Result {
        try installation.program.run(["batch", "in", "--json"] + arguments, in: scratch.url)
    }

    private func expectGoodFiles(_ directory: String) throws {
        for (name, bytes) in Self.good { try scratch.write(bytes, to: "good/\(name)") }
        let plain = try Program().run(["batch", "good", "--output", "plain"], in: scratch.url)
        #expect(plain.status == 0, "\(plain.errors)")
        for name in Self.good.keys {
            #expect(scratch.bytes("\(directory)/\(name).jpg") == scratch.bytes("plain/\(name).jpg"))
        }
    }

    @Test(
        "a lie that can be known for one is not published, and whoever told it is not asked again",
        arguments: ["pooled", "per-image"])
    func refuted(isolation: String) throws {
        for lie in Lie.refutable { try write(lie, to: "b-\(lie)") }
        let result = try batch("--output", "out", "--jobs", "2", "--deadline", "5", "--isolation", isolation)
        #expect(result.status == 1)
        #expect(result.manifests.count == Lie.refutable.count + Self.good.count)
        let rejections = result.rejections
        // A worker for one picture is killed once it has answered. Where its end is faster than the seal, nobody can
        // change the result any more, which is a true one.
        let isMappingGone = isolation == "per-image" && rejections["b-keptMapping"] == nil
        let lies = Lie.refutable.filter { !(isMappingGone && $0 == .keptMapping) }
        #expect(rejections.count == lies.count)
        for lie in lies {
            let code = rejections["b-\(lie)"]?.code
            #expect(code == (lie == .emptyMessage ? "decoder-timeout" : "bad-reply"), "\(lie)")
            #expect((rejections["b-\(lie)"]?.message.utf8.count ?? 0) < 500)
        }
        // Each by a worker of its own, which is no more. One that had served before may have been led astray by another
        // picture, and a fresh one is asked the same.
        let tales = installation.traces.map { $0.split(separator: ".") }
        #expect(Set(tales.map { $0[1] }).count == tales.count)
        #expect(Set(tales.map { $0[2] }).count == Lie.refutable.count)
        if isolation == "per-image" { #expect(tales.count == Lie.refutable.count) }
        #expect(result.count("false answers") == tales.count - (isMappingGone ? 2 : 1))
        #expect(result.count("decoder timeouts") == 1)
        #expect(result.count("decoder crashes") == 0)
        #expect(installation.processes.isEmpty)
        let published = ["a.jpg"] + (isMappingGone ? ["b-keptMapping.jpg"] : []) + ["m.jpg", "z.jpg"]
        #expect(scratch.files(below: "out").filter { !$0.hasSuffix(".json") } == published)
        try expectGoodFiles("out")
    }

    @Test("sizes that cannot be are not believed in a dry run")
    func planned() throws {
        var formats: [(String, SceneFile.Format)] = [("jpg", .jpeg()), ("png", .png()), ("gif", .gif)]
        if (try? Scene(width: 64, height: 64).file(SceneFile(.heic()))) != nil { formats.append(("heic", .heic())) }
        for lie in Lie.absurdSizes {
            for (name, format) in formats { try write(lie, as: format, to: "\(lie).\(name)") }
        }
        let result = try batch("--dry-run")
        #expect(result.status == 1)
        let rejections = result.rejections
        #expect(rejections.count == Lie.absurdSizes.count * formats.count)
        #expect(rejections.allSatisfy { $0.value.code == "bad-reply" }, "\(rejections)")
        #expect(result.count("false answers") == installation.traces.count)
        #expect(result.count("planned") == Self.good.count)
    }

    @Test("a worker's words do nothing to a terminal")
    func escapes() throws {
        try write(.escapes, to: "b")
        let result = try batch("--output", "out")
        #expect(result.rejections["b"]?.code == "decode-failed")
        let complaints = result.errors.split(separator: "\n").filter { $0.hasPrefix("mediaprep: ") }
        #expect(complaints.count == 1)
        for text in [result.errors, result.output] {
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }
            #expect(controls.isEmpty)
        }
        #expect(!result.errors.unicodeScalars.contains { (0x80..<0xA0).contains($0.value) })
        try expectGoodFiles("out")
    }

    @Test("a second answer to one job is a lie that costs no picture")
    func secondReply() throws {
        try write(.secondReply, to: "b")
        let result = try batch("--output", "out", "--jobs", "1")
        #expect(result.status == 0, "\(result.errors)")
        // What came first was checked like any other result.
        #expect(result.manifests.count == 1 + Self.good.count)
        #expect(result.count("false answers") == 1)
        try expectGoodFiles("out")
    }

    /// Nobody can notice that without decoding: this is what `--isolation per-image` is for.
    @Test("a pooled worker can pass one picture off as another of its size; one of its own has no other to show")
    func earlierResult() throws {
        let width = Lie.earlierResult.rawValue
        try write(.earlierResult, to: "b-other-size")
        // Upright the same, and no lie's width.
        let sibling = try Scene(width: width, height: 190, seed: 77).file(turned())
        try scratch.write(sibling, to: "in/c-before")
        try write(.earlierResult, to: "d-same-size")
        let pooled = try batch("--output", "pooled", "--jobs", "1")
        #expect(pooled.rejections.map(\.key) == ["b-other-size"])
        #expect(pooled.rejections["b-other-size"]?.code == "bad-reply")
        #expect(scratch.bytes("pooled/d-same-size.jpg") == scratch.bytes("pooled/c-before.jpg"))
        let fresh = try batch("--output", "fresh", "--jobs", "1", "--isolation", "per-image")
        #expect(Set(fresh.rejections.keys) == ["b-other-size", "d-same-size"])
        try expectGoodFiles("fresh")
    }

    private func turned() -> SceneFile {
        var file = SceneFile(.jpeg())
        file.orientation = 6
        return file
    }
}
