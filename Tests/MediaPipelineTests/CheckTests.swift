import AttachmentRules
import JobProtocol
import MediaProbe
import Scenes
import Testing

@testable import MediaPipeline

/// The complete decode of pictures that stay as they are.
@Suite struct CheckTests {
    private func check(_ bytes: [UInt8], _ facts: MediaFacts) throws -> JobReply.Outcome {
        try outcome(bytes, facts, kind: .check) { _ in Issue.record("a check writes nothing") }
    }

    private func refusal(_ bytes: [UInt8], _ facts: MediaFacts) throws -> Rejection? {
        guard case .refused(let rejection) = try check(bytes, facts) else { return nil }
        return rejection
    }

    @Test("whole pictures decode, cut ones do not", arguments: DamageTests.cases)
    func damage(_ test: DamageTests.Case) throws {
        let whole: [UInt8]
        do {
            whole = try DamageTests.scene.file(SceneFile(test.format))
        } catch {
            withKnownIssue("this libheif cannot encode \(test.name)") { throw error }
            return
        }
        guard case .checked(let source, let size) = try check(whole, facts(test.type, 320, 240)) else {
            Issue.record("refused")
            return
        }
        #expect(size == PlannedSize(width: 320, height: 240))
        #expect(source.isSRGB && !source.hasEXIF && source.notes.isEmpty)
        for part in [0.3, 0.5, 0.9] {
            let cut = Array(whole.prefix(Int(Double(whole.count) * part)))
            #expect(try refusal(cut, facts(test.type, 320, 240))?.code == .decodeFailed, "\(part)")
        }
    }

    @Test("a JPEG that warns in its last rows is damaged, at any size that it is decoded to", arguments: [400, 4_000])
    func lastRows(width: Int) throws {
        let whole = try Scene(width: width, height: 8, seed: 1, detail: 20).file(SceneFile(.jpeg()))
        #expect(try refusal(whole, facts(.jpeg, width, 8)) == nil)
        let cut = Array(whole.prefix(whole.count - 200)) + [0xFF, 0xD9]
        #expect(try refusal(cut, facts(.jpeg, width, 8))?.code == .decodeFailed)
    }

    @Test("the size is that of the picture upright, and what it carries is told") func turned() throws {
        var file = SceneFile(.jpeg())
        (file.orientation, file.hasGPS, file.colors) = (6, true, .displayP3)
        let bytes = try Scene(width: 300, height: 200, seed: 2).file(file)
        let facts = facts(.jpeg, 200, 300, exif: ExifBlock(orientation: 6, hasGPS: true), in: bytes)
        guard case .checked(let source, let size) = try check(bytes, facts) else {
            Issue.record("refused")
            return
        }
        #expect(size == PlannedSize(width: 300, height: 200))
        #expect(source.orientation == 6 && source.hasGPS && source.hasEXIF && !source.isSRGB)
    }

    @Test("a CMYK picture is not sRGB") func press() throws {
        var file = SceneFile(.jpeg())
        file.colors = .cmyk
        let bytes = try Scene(width: 64, height: 64, seed: 2).file(file)
        guard case .checked(let source, _) = try check(bytes, facts(.jpeg, 64, 64)) else {
            Issue.record("refused")
            return
        }
        #expect(!source.isSRGB)
    }

    @Test("damage in a GIF's last frame is found, of which no picture is made") func laterFrame() throws {
        let whole = try Scene(width: 160, height: 120, seed: 3, detail: 4).frames(3, as: .gif)
        var facts = facts(.gif, 160, 120)
        facts.frames = 3
        #expect(try refusal(whole, facts) == nil)
        // Codes of the last frame that mean nothing.
        var damaged = whole
        for index in whole.count - 1_000..<whole.count - 300 { damaged[index] = 0xFF }
        _ = try make(damaged, facts)
        #expect(try refusal(damaged, facts)?.code == .decodeFailed)
    }
}
