import AttachmentRules
import JobProtocol
import MediaProbe
import Scenes
import Testing
import Vips

@testable import MediaPipeline

@Suite struct ColorTests {
    /// JPEG at quality 80 takes 2.6 steps of every tolerance for itself.
    static let scene = Scene(width: 180, height: 120, seed: 4, detail: 1)

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let type: MediaType
        let file: SceneFile
        /// Largest mean difference to the sRGB scene, in steps of 255.
        let tolerance: Double
        var notes: [Note.Code] = []
        var testDescription: String { name }
    }

    static func file(_ format: SceneFile.Format, _ colors: SceneFile.Colors) -> SceneFile {
        var file = SceneFile(format)
        file.colors = colors
        return file
    }

    static let cases = [
        Case(name: "sRGB PNG", type: .png, file: file(.png(), .sRGB), tolerance: 3),
        Case(name: "sRGB progressive JPEG", type: .jpeg, file: file(.jpeg(progressive: true), .sRGB), tolerance: 4),
        Case(name: "interlaced PNG", type: .png, file: file(.png(interlaced: true), .sRGB), tolerance: 3),
        Case(name: "Display P3 JPEG", type: .jpeg, file: file(.jpeg(), .displayP3), tolerance: 4),
        Case(name: "Display P3 PNG", type: .png, file: file(.png(), .displayP3), tolerance: 4),
        Case(name: "Display P3 WebP", type: .webp, file: file(.webp(), .displayP3), tolerance: 4),
        Case(name: "16-bit PNG", type: .png, file: file(.png(bits: 16), .rgb16), tolerance: 3),
        Case(name: "16-bit TIFF", type: .tiff, file: file(.tiff, .rgb16), tolerance: 3),
        Case(name: "palette PNG", type: .png, file: file(.png(palette: true), .sRGB), tolerance: 5),
        Case(name: "GIF", type: .gif, file: file(.gif, .sRGB), tolerance: 5),
        Case(name: "CMYK JPEG with profile", type: .jpeg, file: file(.jpeg(), .cmyk), tolerance: 14),
        Case(name: "CMYK TIFF with profile", type: .tiff, file: file(.tiff, .cmyk), tolerance: 14),
        Case(name: "Lab TIFF", type: .tiff, file: file(.tiff, .lab), tolerance: 3),
    ]

    @Test(arguments: cases)
    func everyModelShowsTheSameScene(_ test: Case) throws {
        let expected = try Picture(Self.scene.image())
        let bytes = try Self.scene.file(test.file)
        let made = try make(bytes, facts(test.type, 180, 120))
        #expect(made.picture.difference(to: expected) <= test.tolerance)
        #expect(made.source.notes.map(\.code) == test.notes)
    }

    @Test(arguments: [
        ("grey JPEG", MediaType.jpeg, file(.jpeg(), .gray)), ("grey PNG", .png, file(.png(), .gray)),
        ("16-bit grey PNG", .png, file(.png(bits: 16), .gray16)), ("grey TIFF", .tiff, file(.tiff, .gray)),
    ])
    func greyStaysGrey(_ name: String, _ type: MediaType, _ file: SceneFile) throws {
        let made = try make(Self.scene.file(file), facts(type, 180, 120))
        let mean = made.picture.mean
        #expect(abs(mean[0] - mean[1]) < 0.1 && abs(mean[1] - mean[2]) < 0.1)
        let gray = try Picture(Self.scene.image().converted(to: .gray))
        #expect(abs(mean[0] - gray.mean[0]) < 1.5)
    }

    /// libvips 8.14.1 makes (58, 58, 53) of it when it exports through a profile.
    @Test(arguments: [MediaType.jpeg, .png, .tiff])
    func untaggedGrey64StaysGrey64(_ type: MediaType) throws {
        for bands in [1, 3] {
            let bytes = try flat([UInt8](repeating: 64, count: bands), as: type)
            let made = try make(bytes, facts(type, 64, 48), recipe(shortEdge: 24))
            for value in made.picture.mean { #expect(abs(value - 64) <= 0.5) }
        }
    }

    @Test func oneBitIsBlackAndWhite() throws {
        let black = try make(flat([0], as: .png, bits: 1), facts(.png, 64, 48))
        let white = try make(flat([255], as: .png, bits: 1), facts(.png, 64, 48))
        #expect(black.picture.mean.allSatisfy { $0 < 1 })
        #expect(white.picture.mean.allSatisfy { $0 > 254 })
    }

    /// Tolerance 3: one step of the profile's rounding, two of JPEG's.
    @Test(arguments: [
        [128, 128, 128], [200, 60, 60], [60, 170, 80], [40, 60, 200], [250, 250, 250], [10, 20, 30],
    ])
    func anEmbeddedProfileIsConverted(_ pixel: [UInt8]) throws {
        let expected = MatrixProfile.wide.sRGB(pixel.map(Double.init))
        for type in [MediaType.jpeg, .png, .tiff] {
            let bytes = try flat(pixel, as: type, profile: MatrixProfile.wide.bytes)
            let made = try make(bytes, facts(type, 64, 48), recipe(shortEdge: 24))
            for (value, wanted) in zip(made.picture.mean, expected) { #expect(abs(value - wanted) <= 3) }
            #expect(made.source.colorProfile == "Wide test RGB")
            #expect(made.source.notes.isEmpty)
        }
    }

    @Test func aBrokenOrForeignProfileIsIgnoredWithANote() throws {
        let whole = MatrixProfile.wide.bytes
        var withoutTags = whole
        withoutTags.replaceSubrange(128..<132, with: [0, 0, 0, 0])
        var forGrey = whole
        forGrey.replaceSubrange(16..<20, with: "GRAY".utf8)
        for profile in [Array(repeating: 7, count: 400), Array(whole.prefix(200)), withoutTags, forGrey] {
            // TIFF stores whatever it is given; the savers of the other formats would refuse or repair it.
            let bytes = try flat([200, 60, 60], as: .tiff, profile: profile)
            let made = try make(bytes, facts(.tiff, 64, 48))
            for (value, wanted) in zip(made.picture.mean, [200.0, 60, 60]) { #expect(abs(value - wanted) <= 2) }
            #expect(made.source.notes.map(\.code) == [.profileIgnored])
        }
    }

    @Test func transparencyIsLaidOnTheBackground() throws {
        var options = SceneFile(.png())
        options.hasAlpha = true
        var wide = SceneFile(.png(bits: 16))
        wide.hasAlpha = true
        wide.colors = .rgb16
        var profiled = SceneFile(.png())
        profiled.hasAlpha = true
        profiled.colors = .displayP3
        let opaque = try Picture(Self.scene.image())
        for background in [Recipe.Background.white, Recipe.Background(red: 200, green: 30, blue: 60)] {
            for (type, bytes) in [
                (MediaType.png, try Self.scene.file(options)), (.png, try Self.scene.file(wide)),
                (.png, try Self.scene.file(profiled)),
            ] {
                var recipe = Recipe()
                recipe.background = background
                let made = try make(bytes, facts(type, 180, 120), recipe)
                // Clear in the left tenth, opaque in the right half.
                let clear = made.picture.mean(0...0.08, 0.2...0.8)
                let wanted = [background.red, background.green, background.blue].map(Double.init)
                for (value, wanted) in zip(clear, wanted) { #expect(abs(value - wanted) <= 4) }
                let right = zip(made.picture.mean(0.6...1, 0...1), opaque.mean(0.6...1, 0...1))
                for (value, wanted) in right { #expect(abs(value - wanted) <= 3) }
            }
        }
    }

    /// A picture of one colour.
    private func flat(
        _ pixel: [UInt8], as type: MediaType, bits: Int = 8, profile: [UInt8]? = nil
    ) throws -> [UInt8] {
        try Vips.start()
        let samples = (0..<64 * 48).flatMap { _ in pixel }
        return try samples.withUnsafeBytes { samples in
            let image = try VipsImage.over(
                samples, width: 64, height: 48, space: pixel.count == 1 ? .gray : .sRGB, profile: profile)
            switch type {
            case .jpeg: return try image.encoded(as: .jpeg(quality: 95, progressive: false))
            case .tiff: return try image.encoded(as: .tiff)
            default: return try image.encoded(as: .png(bits: bits, palette: false, interlaced: false))
            }
        }
    }
}
