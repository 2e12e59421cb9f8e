import AttachmentRules
import JobProtocol
import MediaProbe
import Scenes
import Testing
import Vips

@testable import MediaPipeline

@Suite struct EncodeTests {
    @Test func theAskedQualityIsKeptWhereItFits() throws {
        let bytes = try Scene(width: 400, height: 300, seed: 1).file(SceneFile(.jpeg()))
        let made = try make(bytes, facts(.jpeg, 400, 300), kind: .renderAndProve)
        #expect(made.rendition.quality == 80)
        #expect(made.rendition.attempts == 1)
        #expect(made.rendition.reason == .asAsked)
        #expect(!made.rendition.isProgressive)
        #expect(made.rendition.proof == nil)
        #expect(made.rendition.libvips == Vips.version)
    }

    @Test(arguments: [60_000, 40_000, 25_000])
    func theHighestQualityThatFitsIsFound(_ budget: Int) throws {
        let bytes = try Scene(width: 500, height: 400, seed: 3, detail: 14).file(SceneFile(.jpeg()))
        var recipe = Recipe()
        recipe.maxBytes = budget
        let made = try make(bytes, facts(.jpeg, 500, 400), recipe, kind: .renderAndProve)
        #expect(made.bytes.count <= budget)
        #expect(made.rendition.reason == .qualityLowered)
        #expect(made.rendition.isProgressive)
        #expect(made.rendition.attempts <= 5)
        let proof = try #require(made.rendition.proof)
        #expect(proof.quality == made.rendition.quality + 1)
        #expect(proof.bytes > budget)
    }

    @Test func pixelsStepDownBelowTheFloor() throws {
        let bytes = try Scene(width: 500, height: 400, seed: 3, detail: 14).file(SceneFile(.jpeg()))
        var recipe = Recipe()
        recipe.maxBytes = 6_000
        let made = try make(bytes, facts(.jpeg, 500, 400), recipe)
        #expect(made.bytes.count <= 6_000)
        #expect(made.rendition.reason == .pixelsLowered)
        #expect(made.rendition.size.width < 500)
        #expect(abs(Double(made.rendition.size.width) * 0.8 - Double(made.rendition.size.height)) <= 1)
        #expect(made.rendition.quality >= recipe.qualityFloor)
        #expect(made.rendition.attempts <= 12)
    }

    @Test func whatNeverFitsIsRefusedWithTheMeasuredBytes() throws {
        let bytes = try Scene(width: 500, height: 400, seed: 3, detail: 14).file(SceneFile(.jpeg()))
        var recipe = Recipe()
        recipe.maxBytes = 300
        let rejection = try #require(try refusal(bytes, facts(.jpeg, 500, 400), recipe))
        #expect(rejection.code == .doesNotFit)
        #expect(rejection.rule == .overTarget)
        #expect(rejection.stage == .encode)
        #expect(rejection.message.contains("300 bytes"))
    }

    @Test func nothingOfTheSourcesMetadataSurvives() throws {
        let block = ExifBlock(orientation: 6, hasCamera: true, hasGPS: true)
        var options = SceneFile(.jpeg())
        options.colors = .displayP3
        let plain = try Scene(width: 240, height: 320, seed: 5).file(options)
        let file = Splice.xmp("<x:xmpmeta>secret</x:xmpmeta>", intoJPEG: Splice.exif(block, intoJPEG: plain))
        let made = try make(file, facts(.jpeg, 240, 320, exif: block, in: file))
        #expect(made.source.hasGPS && made.source.hasCamera && made.source.hasDate)
        #expect(made.source.colorProfile != nil)
        #expect(Set(markers(made.bytes)).isSubset(of: [0xD8, 0xE0, 0xDB, 0xC0, 0xC2, 0xC4, 0xDA, 0xDD, 0xD9]))
        for trace in ["Exif", "http:", "ICC_PROFILE", "secret", "Lumen", "Pocket", "2024:"] {
            #expect(!contains(made.bytes, trace), "\(trace)")
        }
    }

    @Test func everyResultHalvesItsChroma() throws {
        var recipe = Recipe()
        recipe.quality = 95
        let bytes = try Scene(width: 100, height: 100, seed: 1).file(SceneFile(.png()))
        let made = try make(bytes, facts(.png, 100, 100), recipe)
        let frame = try #require(made.bytes.indices.first { made.bytes[$0...].starts(with: [0xFF, 0xC0]) })
        // Sampling factors of the three components in the frame header.
        #expect([11, 14, 17].map { made.bytes[frame + $0] } == [0x22, 0x11, 0x11])
    }

    @Test func aPlanWritesNothing() throws {
        let bytes = try Scene(width: 900, height: 700, seed: 1, detail: 0).file(SceneFile(.jpeg()))
        let outcome = try outcome(bytes, facts(.jpeg, 900, 700), kind: .plan) { _ in Issue.record("written") }
        guard case .planned(_, let size) = outcome else {
            Issue.record("not planned")
            return
        }
        #expect(size == PlannedSize(width: 771, height: 600))
    }

    /// Second bytes of every marker outside entropy-coded data.
    private func markers(_ bytes: [UInt8]) -> [UInt8] {
        var found: [UInt8] = []
        var at = 0
        while at + 1 < bytes.count {
            guard bytes[at] == 0xFF, bytes[at + 1] != 0, !(0xD0...0xD7).contains(bytes[at + 1]) else {
                at += 1
                continue
            }
            found.append(bytes[at + 1])
            let hasLength = ![0xD8, 0xD9].contains(bytes[at + 1])
            at += 2 + (hasLength ? Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]) : 0)
        }
        return found
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}
