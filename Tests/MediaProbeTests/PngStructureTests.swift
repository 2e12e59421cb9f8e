import AttachmentRules
import MediaProbe
import Testing

@Suite struct PngStructureTests {
    static let accepted = [
        FactsCase("RGB with Exif", PngBuilder.rgb) {
            $0.mediaType == .png && $0.width == 4 && $0.height == 3 && $0.colorModel == .rgb && !$0.hasAlpha
                && $0.isComplete && $0.exif == 41..<41 + JpegBuilder.exifBody.count
        },
        FactsCase("palette with transparency", PngBuilder.palette) { $0.colorModel == .palette && $0.hasAlpha },
        FactsCase("16-bit RGBA, interlaced", colored(type: 6, depth: 16, raw: 4_000, methods: [0, 0, 1])) {
            $0.bitsPerComponent == 16 && $0.hasAlpha && $0.isInterlaced && $0.isComplete
        },
        FactsCase("1-bit grey", colored(type: 0, depth: 1, raw: 6)) {
            $0.colorModel == .gray && $0.bitsPerComponent == 1
        },
        FactsCase("APNG", PngBuilder.animated) { $0.mediaType == .apng && $0.frames == 2 && $0.isComplete },
        FactsCase(
            "animation control after the data is none",
            PngBuilder.file(PngBuilder.header(), PngBuilder.data, PngBuilder.animationControl)
        ) { $0.mediaType == .png && $0.frames == 1 },
        FactsCase("trailing bytes", PngBuilder.rgb + [1, 2, 3]) {
            $0.trailingBytes == 3 && $0.notes.map(\.code) == [.trailingBytes]
        },
        FactsCase(
            "Exif with a prefix",
            PngBuilder.file(
                PngBuilder.header(), PngBuilder.chunk("eXIf", ascii("Exif\0\0") + JpegBuilder.exifBody),
                PngBuilder.data)
        ) { $0.exif?.count == JpegBuilder.exifBody.count },
        FactsCase("profile", withChunk("iCCP", ascii("sRGB\0\0") + PngBuilder.stored([1, 2, 3]))) { $0.notes.isEmpty },
        FactsCase("profile with unknown compression", withChunk("iCCP", ascii("x\0\u{1}") + [1, 2, 3])) {
            $0.notes.map(\.code) == [.damagedMetadata] && $0.isComplete
        },
        FactsCase("profile that does not inflate", withChunk("iCCP", ascii("x\0\0") + [0x78, 0x9C, 0xFF, 0xFF])) {
            $0.notes.map(\.code) == [.damagedMetadata]
        },
        FactsCase("text with a wrong checksum", damaged(withChunk("tEXt", ascii("k\0v")), at: 8 + 25 + 8)) {
            $0.notes.map(\.code) == [.damagedMetadata] && $0.isComplete
        },
        FactsCase(
            "2 MB of XMP",
            withChunk("iTXt", ascii("XML:com.adobe.xmp\0\0\0\0\0") + .init(repeating: 32, count: 2 << 20))
        ) { $0.isComplete && $0.notes.isEmpty },
    ]

    static func colored(type: UInt8, depth: UInt8, raw: Int, methods: [UInt8] = [0, 0, 0]) -> [UInt8] {
        PngBuilder.file(
            PngBuilder.header(depth: depth, type: type, methods: methods),
            PngBuilder.chunk("IDAT", PngBuilder.stored([UInt8](repeating: 0, count: raw))))
    }

    static func withChunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        PngBuilder.file(PngBuilder.header(), PngBuilder.chunk(name, body), PngBuilder.data)
    }

    static func damaged(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
        var bytes = bytes
        bytes[offset] ^= 1
        return bytes
    }

    @Test(arguments: accepted) func accepts(_ file: FactsCase) throws { try file.verify() }

    static let refused = [
        FileCase("no IEND", .truncated, Array(PngBuilder.rgb.dropLast(12))),
        FileCase("header cut", .truncated, Array(PngBuilder.rgb.prefix(20))),
        FileCase("bad checksum of the header", .truncated, damaged(PngBuilder.rgb, at: 29)),
        FileCase("bad checksum of the data", .truncated, damaged(PngBuilder.rgb, at: PngBuilder.rgb.count - 20)),
        FileCase("bad checksum of the end", .truncated, damaged(PngBuilder.rgb, at: PngBuilder.rgb.count - 1)),
        FileCase("width 0", .malformed, PngBuilder.file(PngBuilder.header(width: 0), PngBuilder.data)),
        FileCase(
            "height over 31 bits", .malformed, PngBuilder.file(PngBuilder.header(height: 1 << 31), PngBuilder.data)),
        FileCase("3 bits", .malformed, PngBuilder.file(PngBuilder.header(depth: 3, type: 0), PngBuilder.data)),
        FileCase("16-bit palette", .malformed, PngBuilder.file(PngBuilder.header(depth: 16, type: 3), PngBuilder.data)),
        FileCase("colour type 5", .malformed, PngBuilder.file(PngBuilder.header(type: 5), PngBuilder.data)),
        FileCase(
            "interlace method 2", .malformed, PngBuilder.file(PngBuilder.header(methods: [0, 0, 2]), PngBuilder.data)),
        FileCase("no palette", .malformed, PngBuilder.file(PngBuilder.header(type: 3), PngBuilder.data)),
        FileCase(
            "palette after the data", .malformed,
            PngBuilder.file(PngBuilder.header(), PngBuilder.data, PngBuilder.chunk("PLTE", [1, 2, 3]))),
        FileCase("palette of 4 bytes", .malformed, withChunk("PLTE", [1, 2, 3, 4])),
        FileCase("two headers", .malformed, PngBuilder.file(PngBuilder.header(), PngBuilder.header(), PngBuilder.data)),
        FileCase("no data", .malformed, PngBuilder.file(PngBuilder.header())),
        FileCase(
            "data in two pieces", .malformed,
            PngBuilder.file(PngBuilder.header(), PngBuilder.data, PngBuilder.chunk("tEXt", []), PngBuilder.data)),
        FileCase("unknown critical chunk", .unsupportedCoding, withChunk("ABCD", [1])),
        FileCase(
            "Apple's variant", .unsupportedCoding,
            PngBuilder.file(PngBuilder.chunk("CgBI", [0, 0, 0, 0]), PngBuilder.header(), PngBuilder.data)),
        FileCase(
            "data too short for the sides", .truncated,
            PngBuilder.file(PngBuilder.header(width: 5_000, height: 5_000), PngBuilder.data)),
        FileCase(
            "2 gigapixels a side", .tooManyPixels,
            PngBuilder.file(PngBuilder.header(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF), PngBuilder.data)),
        FileCase(
            "interlaced and too large for memory", .tooMuchMemory,
            PngBuilder.file(
                PngBuilder.header(width: 10_000, height: 10_000, type: 6, methods: [0, 0, 1]), PngBuilder.data)),
        FileCase(
            "chunk flood", .tooManySegments,
            PngBuilder.file(
                PngBuilder.header(), Array([[UInt8]](repeating: PngBuilder.chunk("tEXt", []), count: 20_001).joined()),
                PngBuilder.data)),
        FileCase(
            "ancillary flood", .metadataBomb, withChunk("teSt", [UInt8](repeating: 0, count: 1 + 1 << 20))),
        FileCase("text bomb", .metadataBomb, withChunk("zTXt", ascii("k\0\0") + DeflateSamples.zeros(5_000_000))),
        FileCase(
            "text bomb in pieces", .metadataBomb,
            PngBuilder.file(
                PngBuilder.header(),
                Array(
                    [[UInt8]](
                        repeating: PngBuilder.chunk("iTXt", ascii("k\0\u{1}\0\0\0") + DeflateSamples.zeros(2_000_000)),
                        count: 3
                    ).joined()), PngBuilder.data)),
        FileCase("profile bomb", .metadataBomb, withChunk("iCCP", ascii("p\0\0") + DeflateSamples.zeros(5_000_000))),
    ]

    @Test(arguments: refused) func refuses(_ file: FileCase) { #expect(refusal(file.bytes) == file.expected) }
}
