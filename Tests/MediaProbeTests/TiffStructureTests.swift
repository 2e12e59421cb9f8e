import AttachmentRules
import MediaProbe
import Testing

@Suite struct TiffStructureTests {
    static func changed(_ change: (inout TiffBuilder) -> Void) -> [UInt8] {
        var builder = TiffBuilder()
        change(&builder)
        return builder.bytes
    }

    static let accepted = [
        FactsCase("grey", TiffBuilder().bytes) {
            $0.mediaType == .tiff && $0.width == 4 && $0.height == 3 && $0.colorModel == .gray && $0.frames == 1
                && $0.bitsPerComponent == 8 && $0.isComplete && $0.exif == nil
        },
        FactsCase("big-endian RGB", TiffBuilder(isLittleEndian: false, samples: 3).bytes) {
            $0.colorModel == .rgb && !$0.hasAlpha && $0.isComplete
        },
        FactsCase("BigTIFF RGBA", TiffBuilder(isBig: true, samples: 4).bytes) { $0.hasAlpha && $0.isComplete },
        FactsCase("big-endian BigTIFF", TiffBuilder(isLittleEndian: false, isBig: true).bytes) { $0.isComplete },
        FactsCase("16 bits", TiffBuilder(bits: 16).bytes) { $0.bitsPerComponent == 16 },
        FactsCase("signed 8 bits", TiffBuilder(extra: [339: [2]]).bytes) { $0.isComplete },
        FactsCase("CMYK", TiffBuilder(samples: 4, extra: [262: [5]]).bytes) { $0.colorModel == .cmyk && !$0.hasAlpha },
        FactsCase("Lab", TiffBuilder(samples: 3, extra: [262: [8]]).bytes) { $0.colorModel == .lab },
        FactsCase("compressed, shorter than its rows", TiffBuilder(extra: [259: [5]], stripBytes: 3).bytes) {
            $0.isComplete
        },
        FactsCase("no strip lengths", TiffBuilder(omitted: [279]).bytes) { $0.isComplete },
        FactsCase("one strip of length 0", TiffBuilder(extra: [279: [0]]).bytes) { $0.isComplete },
        FactsCase("strips of two rows", TiffBuilder(extra: [273: [16, 17], 278: [2], 279: [8, 4]]).bytes) {
            $0.isComplete
        },
        FactsCase("tiles", TiffBuilder(extra: [322: [16], 323: [1], 324: [8, 8, 8], 325: [16, 16, 16]]).bytes) {
            $0.isComplete
        },
        FactsCase("pages in a circle", TiffBuilder(next: TiffBuilder.directoryOffset).bytes) {
            $0.frames == 1 && $0.notes.map(\.code) == [.pageLoop] && $0.isComplete
        },
    ]

    @Test(arguments: accepted) func accepts(_ file: FactsCase) throws { try file.verify() }

    static let refused = [
        FileCase("strip cut", .truncated, Array(TiffBuilder().bytes.dropLast())),
        FileCase("header only", .truncated, Array(TiffBuilder().bytes.prefix(12))),
        FileCase("directory cut", .malformed, Array(TiffBuilder().bytes.prefix(60))),
        FileCase("strip shorter than its rows", .truncated, TiffBuilder(stripBytes: 11).bytes),
        FileCase("strip behind the end", .truncated, TiffBuilder(extra: [273: [0xFFFF_FFF0]]).bytes),
        FileCase("fewer strips than rows need", .truncated, TiffBuilder(extra: [278: [1]]).bytes),
        FileCase(
            "second tile too short", .truncated,
            TiffBuilder(extra: [322: [16], 323: [2], 324: [8, 8], 325: [32, 31]]).bytes),
        FileCase("next page behind the end", .truncated, TiffBuilder(next: 0xFFFF).bytes),
        FileCase("no width", .malformed, TiffBuilder(omitted: [256]).bytes),
        FileCase("width 0", .malformed, TiffBuilder(extra: [256: [0]]).bytes),
        FileCase("no strips", .malformed, TiffBuilder(omitted: [273]).bytes),
        FileCase("strips of no rows", .malformed, TiffBuilder(extra: [278: [0]]).bytes),
        FileCase("two samples for RGB", .malformed, TiffBuilder(samples: 2, extra: [262: [2]]).bytes),
        FileCase("12 bits", .unsupportedCoding, TiffBuilder(bits: 12).bytes),
        FileCase("32 bits", .unsupportedCoding, TiffBuilder(bits: 32).bytes),
        FileCase("floating point", .unsupportedCoding, TiffBuilder(bits: 16, extra: [339: [3]]).bytes),
        FileCase(
            "samples of different bits", .unsupportedCoding, TiffBuilder(samples: 3, extra: [258: [8, 8, 4]]).bytes),
        FileCase("old JPEG", .unsupportedCoding, TiffBuilder(extra: [259: [6]]).bytes),
        FileCase("transparency mask", .unsupportedCoding, TiffBuilder(extra: [262: [4]]).bytes),
        FileCase(
            "tiles in planes", .unsupportedCoding,
            TiffBuilder(samples: 3, extra: [284: [2], 322: [16], 323: [16], 324: [8], 325: [256]]).bytes),
        FileCase("65,535 samples", .unsupportedCoding, TiffBuilder(extra: [277: [65_535]]).bytes),
        FileCase(
            "810 gigapixels", .tooManyPixels,
            TiffBuilder(extra: [256: [900_000], 257: [900_000], 278: [900_000]]).bytes),
        FileCase(
            "one strip too large for memory", .tooMuchMemory,
            TiffBuilder(width: 9_000, height: 9_000, samples: 3, extra: [259: [5]]).bytes),
        FileCase(
            "a strip for each of two million rows", .tooManySegments,
            TiffBuilder(width: 1, height: 2_000_000, extra: [278: [1], 273: .init(repeating: 8, count: 2_000_000)])
                .bytes),
    ]

    @Test(arguments: refused) func refuses(_ file: FileCase) { #expect(refusal(file.bytes) == file.expected) }

    /// Directories of one entry each, one after the other.
    static func pages(_ count: Int) -> [UInt8] {
        let first = TiffBuilder(next: 400).bytes
        var file = first + [UInt8](repeating: 0, count: 400 - first.count)
        for page in 1..<count {
            let next = page + 1 < count ? file.count + 18 : 0
            file += little16(1) + little16(256) + little16(4) + little32(1) + little32(1) + little32(next)
        }
        return file
    }

    @Test func pagesAreCounted() throws {
        #expect(try examine(Self.pages(37)).frames == 37)
        #expect(refusal(Self.pages(10_000)) == nil)
        #expect(refusal(Self.pages(10_001)) == .tooManyFrames)
    }

    @Test func aLaterLoopIsCut() throws {
        var file = Self.pages(37)
        file.replaceSubrange(file.count - 4..<file.count, with: little32(400))
        let facts = try examine(file)
        #expect(facts.frames == 37 && facts.notes.map(\.code) == [.pageLoop])
    }
}
