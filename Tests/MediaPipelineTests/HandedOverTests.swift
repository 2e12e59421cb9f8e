import AttachmentRules
import JobProtocol
import MediaPipeline
import MediaProbe
import Scenes
import Testing
import Vips

/// What a decoder is handed decodes to the same pixels as the file, and libvips finds no EXIF in it.
@Suite struct HandedOverTests {
    static let scene = Scene(width: 160, height: 120, seed: 4)

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let loader: VipsLoader
        var hasEXIF = false
        let file: @Sendable () throws -> [UInt8]
        var testDescription: String { name }

        /// A PNG with these chunks, the first one next to the header.
        static func png(
            _ name: String, _ chunks: [(String, [UInt8])], in file: SceneFile = SceneFile(.png())
        ) -> Case {
            Case(name: "PNG: " + name, loader: .png) {
                try chunks.reversed().reduce(scene.file(file)) { Splice.chunk($1.0, $1.1, intoPNG: $0) }
            }
        }
    }

    private static let palette = SceneFile(.png(palette: true))
    private static let gray = file(.png()) { $0.colors = .gray }
    private static let alpha = file(.png()) { $0.hasAlpha = true }

    private static func file(_ format: SceneFile.Format, _ change: (inout SceneFile) -> Void) -> SceneFile {
        var file = SceneFile(format)
        change(&file)
        return file
    }

    private static func full(_ format: SceneFile.Format, _ colors: SceneFile.Colors = .sRGB) -> SceneFile {
        file(format) {
            $0.colors = colors
            $0.orientation = 6
            $0.hasCamera = true
            $0.hasGPS = true
        }
    }

    /// An iCCP chunk's content, with one stored block.
    private static let profile: [UInt8] = {
        let bytes = MatrixProfile.wide.bytes
        var low = 1
        var high = 0
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let length = UInt16(bytes.count)
        let header: [UInt8] = [
            0x78, 1, 1, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8),
        ]
        let sum = big32(high << 16 | low)
        return Array("x\0\0".utf8) + header + bytes + sum
    }()

    /// sRGB's own white and primaries, and its gamma.
    private static let chromaticities = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap(big32)

    private static func big32(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static let gamma: [UInt8] = [0, 0, 0xB1, 0x8F]

    static let cases: [Case] = [
        .png("nothing", []),
        .png("another gamma", [("gAMA", [0, 1, 0x86, 0xA0])]),
        .png("another gamma and a palette", [("gAMA", [0, 1, 0x86, 0xA0])], in: palette),
        .png("chromaticities", [("cHRM", chromaticities)]),
        .png("sRGB", [("sRGB", [1])]),
        .png("significant bits", [("sBIT", [3, 3, 3])]),
        .png("significant bits of grey", [("sBIT", [2])], in: gray),
        .png("background", [("bKGD", [0, 9, 0, 8, 0, 7])]),
        .png("background and alpha", [("bKGD", [0, 9, 0, 8, 0, 7])], in: alpha),
        .png("transparent colour", [("tRNS", [0, 9, 0, 8, 0, 7])]),
        .png("transparent grey", [("tRNS", [0, 128])], in: gray),
        .png("two transparent colours", [("tRNS", [0, 9, 0, 8, 0, 7]), ("tRNS", [0, 1, 0, 2, 0, 3])]),
        .png("transparency of a wrong length", [("tRNS", [0, 9])]),
        .png("transparency before the palette", [("tRNS", [9])], in: palette),
        .png("transparent colour beside alpha", [("tRNS", [0, 9, 0, 8, 0, 7])], in: alpha),
        .png("palette of a true-colour picture", [("PLTE", [1, 2, 3])]),
        .png("palette of a grey picture", [("PLTE", [1, 2, 3])], in: gray),
        .png("profile", [("iCCP", profile)]),
        .png("profile, then sRGB", [("iCCP", profile), ("sRGB", [0])]),
        .png("sRGB, then profile", [("sRGB", [0]), ("iCCP", profile)]),
        .png("gamma, chromaticities and profile", [("gAMA", gamma), ("cHRM", chromaticities), ("iCCP", profile)]),
        .png("two profiles", [("iCCP", profile), ("iCCP", profile)]),
        .png("profile after a palette", [("PLTE", [1, 2, 3]), ("iCCP", profile)]),
        .png("profile of another space", [("iCCP", profile)], in: gray),
        .png("resolution", [("pHYs", [0, 0, 0, 1, 0, 0, 0, 9, 0])]),
        .png("texts", [("tEXt", Array("Comment\0text".utf8)), ("zTXt", Array("a\0\0bad".utf8)), ("eXIf", [1, 2, 3])]),
        Case(name: "PNG: transparency with a wrong checksum", loader: .png) {
            var bytes = Splice.chunk("tRNS", [0, 9, 0, 8, 0, 7], intoPNG: try scene.file(SceneFile(.png())))
            bytes[33 + 8 + 6] ^= 1
            return bytes
        },
        Case(name: "JPEG", loader: .jpeg, hasEXIF: true) { try scene.file(full(.jpeg())) },
        Case(name: "progressive JPEG", loader: .jpeg, hasEXIF: true) { try scene.file(full(.jpeg(progressive: true))) },
        Case(name: "JPEG for presses", loader: .jpeg, hasEXIF: true) { try scene.file(full(.jpeg(), .cmyk)) },
        Case(name: "JPEG in Display P3", loader: .jpeg, hasEXIF: true) { try scene.file(full(.jpeg(), .displayP3)) },
        Case(name: "PNG in Display P3", loader: .png, hasEXIF: true) { try scene.file(full(.png(), .displayP3)) },
        Case(name: "interlaced PNG", loader: .png, hasEXIF: true) { try scene.file(full(.png(interlaced: true))) },
        Case(name: "WebP", loader: .webp, hasEXIF: true) { try scene.file(full(.webp())) },
        Case(name: "WebP in Display P3", loader: .webp, hasEXIF: true) {
            try scene.file(full(.webp(lossless: true), .displayP3))
        },
        Case(name: "HEIC", loader: .heif, hasEXIF: true) { try scene.file(full(.heic())) },
        Case(name: "AVIF", loader: .heif, hasEXIF: true) { try scene.file(full(.avif())) },
    ]

    @Test(arguments: cases) func decodesTheSameWithoutMetadata(_ test: Case) throws {
        try Vips.start()
        let bytes: [UInt8]
        do {
            bytes = try test.file()
        } catch {
            withKnownIssue("this libvips cannot encode \(test.name)") { throw error }
            return
        }
        let warnings = Vips.warningsOnThisThread
        let (before, isTagged, all) = try decoded(bytes, by: test.loader)
        let own = Vips.warningsOnThisThread - warnings
        let (after, isStillTagged, fields) = try decoded(handedOver(bytes), by: test.loader)
        #expect(all.contains("exif-data") == test.hasEXIF)
        #expect(before.bands == after.bands)
        #expect(before.difference(to: after) == 0)
        // The pipeline ignores a profile of another space in any case.
        if test.name != "PNG: profile of another space" { #expect(isTagged == isStillTagged) }
        #expect(
            !fields.contains { $0.hasPrefix("exif") || $0.hasPrefix("xmp") || $0.hasPrefix("png-comment") }, "\(fields)"
        )
        #expect(Vips.warningsOnThisThread - warnings - own <= own)
    }

    private func decoded(_ bytes: [UInt8], by loader: VipsLoader) throws -> (Picture, isTagged: Bool, fields: [String])
    {
        try bytes.withUnsafeBytes { bytes in
            let image = try VipsImage.load(loader, bytes)
            return (try Picture(image), image.blob("icc-profile-data") != nil, image.fields)
        }
    }

    /// What the supervisor says of the source is not believed when the source has no room for it.
    @Test func bytesOutsideOfTheSourceAreRefused() throws {
        try MediaPipeline.start()
        let file = try Self.scene.file(SceneFile(.jpeg()))
        let block = ExifBlock(orientation: 6).bytes
        let source = file + block
        let whole = file.count..<source.count
        let parts: [(picture: Int, exif: Range<Int>?, isTaken: Bool)] = [
            (file.count, whole, true), (file.count, nil, true), (source.count + 1, nil, false), (-1, nil, false),
            (source.count, whole, false), (file.count, file.count..<source.count + 1, false),
            (file.count, 0..<10, false),
        ]
        for (picture, exif, isTaken) in parts {
            var facts = facts(.jpeg, 160, 120)
            facts.exif = exif
            let request = JobRequest(id: 1, facts: facts, pictureBytes: picture, recipe: Recipe(), kind: .plan)
            let outcome = source.withUnsafeBytes { MediaPipeline.process($0, request: request) { _ in } }
            switch outcome {
            case .planned(let found, _): #expect(isTaken && found.orientation == (exif == nil ? 1 : 6))
            case .refused(let rejection): #expect(!isTaken && rejection.stage == .worker)
            default: Issue.record("\(outcome)")
            }
        }
    }
}
