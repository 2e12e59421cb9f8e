import Foundation
import Scenes
import Testing

/// `mediaprep estimate`.
@Suite struct EstimateTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func estimate(_ arguments: String...) throws -> Program.Result {
        try Program().run(["estimate"] + arguments, in: scratch.url)
    }

    @Test("as it is, and after mediaprep") func both() throws {
        var file = SceneFile(.jpeg())
        file.orientation = 6
        let bytes = try Scene(width: 1_500, height: 900, seed: 3, detail: 1).file(file)
        try scratch.write(bytes, to: "a.jpg")
        let result = try estimate("--json", "--base", "1000", "a.jpg")
        #expect(result.status == 0)
        let told = try #require(result.manifests.first)
        #expect(told["orientation"] as? Int == 6 && told["width_px"] as? Int == 900)
        let before = try #require((told["as_is"] as? [String: Any])?["picture"] as? [String: Any])
        let after = try #require((told["after"] as? [String: Any])?["picture"] as? [String: Any])
        #expect(before["width_px"] as? Int == 1_500 && before["height_px"] as? Int == 900)
        #expect(after["width_px"] as? Int == 1_000 && after["height_px"] as? Int == 600)
        let memory = try #require(before["memory"] as? [String: Any])
        // 1500 pixels of 4 bytes are 6000, in rows of 6016.
        #expect(memory["bitmap_bytes"] as? Int == 6_016 * 900)
        let peaks = try #require(memory["peaks"] as? [String: Any])
        #expect(peaks["attach_stream"] as? Int == 1_000)
        #expect(peaks["attach_data"] as? Int == 1_000 + bytes.count)
        #expect((memory["budgets"] as? [String: Any])?.count == 5)
        #expect((after["cards"] as? [Any])?.isEmpty == false)
    }

    @Test("a file of any size") func sparse() throws {
        let bytes = try Scene(width: 640, height: 480, seed: 3, detail: 1).file(SceneFile(.jpeg()))
        try scratch.write(bytes, to: "huge.jpg")
        let handle = try FileHandle(forWritingTo: scratch.url.appending(path: "huge.jpg"))
        try handle.truncate(atOffset: 5 << 30)
        try handle.close()
        let result = try estimate("--json", "huge.jpg")
        #expect(result.status == 0)
        let told = try #require(result.manifests.first)
        #expect(told["bytes"] as? Int == 5 << 30)
        #expect((told["refusal"] as? String)?.contains("67108864") == true && told["after"] == nil)
    }

    @Test("all frames of a GIF count") func frames() throws {
        try scratch.write(Scene(width: 100, height: 80, seed: 3).frames(4, as: .gif), to: "film.gif")
        let told = try #require(try estimate("--json", "film.gif").manifests.first)
        let picture = try #require((told["as_is"] as? [String: Any])?["picture"] as? [String: Any])
        #expect(picture["frames"] as? Int == 4)
        let peaks = try #require((picture["memory"] as? [String: Any])?["peaks"] as? [String: Any])
        let length = try #require(scratch.bytes("film.gif")).count
        // 448 x 80 bytes are 35,840, in pages 49,152.
        #expect(peaks["animate_all"] as? Int == 8_388_608 + length + 4 * 49_152)
    }

    @Test("a table for people, and what cannot be estimated") func table() throws {
        try scratch.write(Scene(width: 640, height: 480, seed: 3, detail: 1).file(SceneFile(.png())), to: "a.png")
        try scratch.write(Array("Buy milk.".utf8), to: "b.txt")
        let result = try estimate("a.png", "b.txt")
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("base 8.0 MiB (8388608), assumed\n\na.png: image/png, 640x480, 8 bits, "))
        #expect(result.output.contains("\n  resident         1.1 MiB (1228800)"))
        #expect(result.output.contains("b.txt: no estimate: "))
    }

    @Test(
        "a wrong request ends with 2",
        arguments: [[], ["missing"], ["--base", "-1", "a"], ["--profile", "x", "a"]])
    func wrongRequests(_ arguments: [String]) throws {
        try scratch.write([1], to: "a")
        let result = try Program().run(["estimate"] + arguments, in: scratch.url)
        #expect(result.status == 2 && result.output.isEmpty)
    }
}
