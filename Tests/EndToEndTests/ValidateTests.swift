import Foundation
import Misbehaviour
import Scenes
import Testing

/// `mediaprep validate`, as an app team's CI runs it.
@Suite struct ValidateTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func validate(_ arguments: String..., by program: Program = Program()) throws -> Program.Result {
        try program.run(["validate"] + arguments, in: scratch.url)
    }

    private func rules(_ result: Program.Result) -> [[String]] {
        result.manifests.map { ($0["findings"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String } }
    }

    private func write(_ name: String, width: Int = 800, _ change: (inout SceneFile) -> Void = { _ in }) throws {
        var file = SceneFile(.jpeg())
        change(&file)
        try scratch.write(Scene(width: width, height: 600, seed: 3, detail: 1).file(file), to: name)
    }

    @Test("a picture that is right has no finding") func good() throws {
        try write("good.jpg")
        let result = try validate("good.jpg")
        #expect(result.status == 0)
        #expect(result.output == "good.jpg: ok (ios)\n")
        let json = try validate("--json", "good.jpg")
        let judgement = try #require(json.manifests.first)
        #expect(judgement["verdict"] as? String == "ok" && judgement["is_decoded"] as? Bool == true)
        #expect((judgement["picture"] as? [String: Any])?["width_px"] as? Int == 800)
    }

    @Test("every fault has its rule, and the files keep their order") func faults() throws {
        try write("a.png")
        try write("b.jpg") { $0.hasGPS = true }
        try scratch.write([], to: "c.jpg")
        try scratch.write(Array("Buy milk.".utf8), to: "d.jpg")
        try write("e.jpg")
        try scratch.write(Array(#require(scratch.bytes("e.jpg")).dropLast(3_000)) + [0xFF, 0xD9], to: "e.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.url.appending(path: "f.jpg").path, withDestinationPath: "b.jpg")
        let result = try validate("--json", "--jobs", "3", "a.png", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg")
        #expect(result.status == 1)
        let names = result.manifests.map { $0["file"] as? String }
        #expect(names == ["a.png", "b.jpg", "c.jpg", "d.jpg", "e.jpg", "f.jpg"])
        #expect(rules(result) == [["ATT005"], ["COL002"], ["ATT001"], ["ATT002"], ["ATT007"], ["ATT001"]])
        let quiet = try validate("--quiet", "a.png", "b.jpg")
        #expect(quiet.output.split(separator: "\n").count == 4)
    }

    @Test("a later frame of a GIF that is damaged is found") func frames() throws {
        var bytes = try Scene(width: 300, height: 300, seed: 3, detail: 4).frames(3, as: .gif)
        try scratch.write(bytes, to: "whole.gif")
        for index in bytes.count - 1_000..<bytes.count - 300 { bytes[index] = 0xFF }
        try scratch.write(bytes, to: "damaged.gif")
        let result = try validate("--json", "whole.gif", "damaged.gif")
        let found = rules(result)
        #expect(!found[0].contains("ATT007") && found[1].contains("ATT007"))
    }

    @Test("URL, response and options are judged with the file") func around() throws {
        try write("good.jpg")
        try scratch.write(Array("HTTP/1.1 302 Found\r\ncontent-type: image/jpg\r\n\r\n".utf8), to: "head")
        let rectangle = #"{"x":0.5,"y":0,"width":0.75,"height":1}"#
        try scratch.write(
            Array(
                #"{"identifier":"a","type_hint":"x","thumbnail_hidden":false,"thumbnail_clipping_rect":\#(rectangle)}"#
                    .utf8), to: "options")
        let result = try validate(
            "--json", "--url", "http://a.example/a.png?b", "--headers", "head", "--options", "options", "good.jpg")
        #expect(result.status == 1)
        #expect(
            rules(result) == [["URL001", "URL002", "URL003", "URL005", "URL006", "URL007", "OPT001"]])
    }

    @Test("a profile and strictness decide what is an error") func severities() throws {
        let animated = try Scene(width: 400, height: 300, seed: 3).frames(2, as: .gif)
        try scratch.write(animated, to: "film.gif")
        #expect(try validate("--profile", "web", "film.gif").output.contains("ANI002 error"))
        #expect(try validate("film.gif").output.contains("ANI002") == false)
        try scratch.write(Scene(width: 900, height: 700, seed: 1, detail: 0).file(SceneFile(.jpeg())), to: "big.jpg")
        #expect(try validate("big.jpg").status == 0)
        #expect(try validate("--strict", "big.jpg").status == 1)
    }

    @Test(
        "a wrong request ends with 2",
        arguments: [
            [], ["--profile", "none", "a.jpg"], ["missing.jpg"], ["--hint"], ["--jobs", "0", "a.jpg"],
            ["--url", "https://a.example/a.jpg", "a.jpg", "b.jpg"], ["--headers", "missing", "a.jpg"],
            ["--options", "a.jpg", "a.jpg"], ["--config", "missing", "a.jpg"],
        ])
    func wrongRequests(_ arguments: [String]) throws {
        try write("a.jpg")
        try write("b.jpg")
        let result = try Program().run(["validate"] + arguments, in: scratch.url)
        #expect(result.status == 2 && result.output.isEmpty && !result.errors.isEmpty)
    }

    @Test(
        "a worker that lies proves nothing",
        arguments: [Lie.badOrientation, .longProfileName, .manyNotes, .noSize, .leastSize, .thinSize, .otherSize])
    func lies(_ lie: Lie) throws {
        let installation = try ProgramWithWorker("lying-worker", in: scratch)
        try scratch.write(Scene(width: lie.rawValue, height: 190, seed: 1).file(SceneFile(.jpeg())), to: "a.jpg")
        let result = try validate("--json", "a.jpg", by: installation.program)
        #expect(result.status == 1)
        #expect(rules(result).first?.contains("ATT007") == true)
        #expect(result.output.contains("not to be trusted"))
    }
}
