import AttachmentRules
import MediaProbe
import Testing

@Suite struct JpegStructureTests {
    static let accepted = [
        FactsCase("baseline, JFIF, Exif", JpegBuilder.baseline) {
            $0.mediaType == .jpeg && $0.width == 16 && $0.height == 16 && $0.colorModel == .ycbcr && !$0.isInterlaced
                && $0.exif?.count == JpegBuilder.exifBody.count && $0.isComplete && $0.notes.isEmpty
        },
        FactsCase("progressive", JpegBuilder.progressive) { $0.isInterlaced && $0.isComplete && $0.exif == nil },
        FactsCase(
            "grey with 2x2 sampling",
            JpegBuilder.file(JpegBuilder.frame(components: [(1, 0x22)]), JpegBuilder.scan([1]))
        ) {
            $0.colorModel == .gray && $0.isComplete
        },
        FactsCase(
            "one scan for each component",
            JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.scan([1]), JpegBuilder.scan([2]), JpegBuilder.scan([3]))
        ) { $0.isComplete },
        FactsCase(
            "Adobe transform 0 is RGB",
            JpegBuilder.file(JpegBuilder.adobe(transform: 0), JpegBuilder.frame(), JpegBuilder.scan())
        ) { $0.colorModel == .rgb },
        FactsCase(
            "JFIF before Adobe",
            JpegBuilder.file(
                JpegBuilder.jfif, JpegBuilder.adobe(transform: 0), JpegBuilder.frame(), JpegBuilder.scan())
        ) { $0.colorModel == .ycbcr },
        FactsCase(
            "components named RGB",
            JpegBuilder.file(
                JpegBuilder.frame(components: [(0x52, 0x11), (0x47, 0x11), (0x42, 0x11)]),
                JpegBuilder.scan(ascii("RGB")))
        ) { $0.colorModel == .rgb },
        FactsCase("CMYK", fourComponents(transform: 0)) { $0.colorModel == .cmyk },
        FactsCase("YCCK", fourComponents(transform: 2)) { $0.colorModel == .ycck },
        FactsCase("unknown transform", fourComponents(transform: 1)) { $0.colorModel == .ycck },
        FactsCase(
            "restarts, stuffed and fill bytes in a scan",
            JpegBuilder.file(
                JpegBuilder.frame(), JpegBuilder.scan(data: [0x12, 0xFF, 0, 0xFF, 0xD0, 0x34, 0xFF, 0xD7, 0xFF]))
        ) { $0.isComplete && $0.hiddenBytes.isEmpty },
        FactsCase(
            "fill bytes before a marker", JpegBuilder.file([0xFF, 0xFF, 0xFF], JpegBuilder.frame(), JpegBuilder.scan())
        ) { $0.hiddenBytes.isEmpty && $0.isComplete },
        FactsCase(
            "stray bytes, FF00 among them",
            JpegBuilder.file(JpegBuilder.jfif, [1, 0xFF, 0, 2, 0xFF], JpegBuilder.frame(), JpegBuilder.scan())
        ) { $0.hiddenBytes == [20..<24] && $0.notes.map(\.code) == [.strayBytes] },
        FactsCase("film after EOI", JpegBuilder.baseline + HeifBuilder.box("ftyp", ascii("mp42") + big32(0))) {
            $0.trailingBytes == 16 && $0.notes.map(\.code) == [.trailingBytes] && $0.isComplete
        },
        FactsCase("second JPEG after EOI", JpegBuilder.baseline + JpegBuilder.file(JpegBuilder.frame(width: 99))) {
            $0.width == 16 && $0.trailingBytes > 0
        },
        FactsCase(
            "the first Exif counts",
            JpegBuilder.file(
                JpegBuilder.exif(), JpegBuilder.exif([0, 0, 0, 0, 0, 0, 0, 0, 0]), JpegBuilder.frame(),
                JpegBuilder.scan())
        ) { $0.exif == 12..<12 + JpegBuilder.exifBody.count },
        FactsCase(
            "tables after the frame, ICC after the frame",
            JpegBuilder.file(
                JpegBuilder.frame(), JpegBuilder.huffman, JpegBuilder.segment(0xE2, ascii("ICC_PROFILE\0")),
                JpegBuilder.quantization, JpegBuilder.scan())
        ) { $0.isComplete },
    ]

    static func fourComponents(transform: UInt8) -> [UInt8] {
        JpegBuilder.file(
            JpegBuilder.adobe(transform: transform),
            JpegBuilder.frame(components: [(1, 0x11), (2, 0x11), (3, 0x11), (4, 0x11)]), JpegBuilder.scan([1, 2, 3, 4]))
    }

    @Test(arguments: accepted) func accepts(_ file: FactsCase) throws { try file.verify() }

    static let refused = [
        FileCase("no EOI", .truncated, Array(JpegBuilder.baseline.dropLast(2))),
        FileCase("header cut", .truncated, Array(JpegBuilder.baseline.prefix(40))),
        FileCase("arithmetic", .unsupportedCoding, JpegBuilder.file(JpegBuilder.frame(0xC9), JpegBuilder.scan())),
        FileCase(
            "progressive arithmetic", .unsupportedCoding,
            JpegBuilder.file(JpegBuilder.frame(0xCA), JpegBuilder.scan(spectrum: (0, 0)))),
        FileCase("lossless", .unsupportedCoding, JpegBuilder.file(JpegBuilder.frame(0xC3), JpegBuilder.scan())),
        FileCase("hierarchical", .unsupportedCoding, JpegBuilder.file(JpegBuilder.frame(0xC5), JpegBuilder.scan())),
        FileCase("hierarchical by DHP", .unsupportedCoding, JpegBuilder.file(JpegBuilder.frame(0xDE))),
        FileCase(
            "12 bits", .unsupportedCoding,
            JpegBuilder.file(JpegBuilder.frame(0xC1, precision: 12), JpegBuilder.scan())),
        FileCase("height 0", .unsupportedCoding, JpegBuilder.file(JpegBuilder.frame(height: 0), JpegBuilder.scan())),
        FileCase(
            "DNL", .unsupportedCoding,
            JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.scan(), JpegBuilder.segment(0xDC, [0, 16]))),
        FileCase("width 0", .malformed, JpegBuilder.file(JpegBuilder.frame(width: 0), JpegBuilder.scan())),
        FileCase(
            "two components", .unsupportedCoding,
            JpegBuilder.file(JpegBuilder.frame(components: [(1, 0x11), (2, 0x11)]), JpegBuilder.scan([1, 2]))),
        FileCase(
            "sampling factor 5", .malformed,
            JpegBuilder.file(JpegBuilder.frame(components: [(1, 0x51)]), JpegBuilder.scan([1]))),
        FileCase(
            "scan names a foreign component", .malformed,
            JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.scan([1, 2, 9]))),
        FileCase(
            "scan out of order", .malformed, JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.scan([3, 1, 2]))),
        FileCase(
            "more than ten blocks in an MCU", .malformed,
            JpegBuilder.file(JpegBuilder.frame(components: [(1, 0x44), (2, 0x11), (3, 0x11)]), JpegBuilder.scan())),
        FileCase(
            "AC scan of three components", .malformed,
            JpegBuilder.file(JpegBuilder.frame(0xC2), JpegBuilder.scan(spectrum: (1, 63)))),
        FileCase("two frames", .malformed, JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.frame())),
        FileCase("scan before frame", .malformed, JpegBuilder.file(JpegBuilder.scan())),
        FileCase("no frame", .malformed, JpegBuilder.file(JpegBuilder.jfif)),
        FileCase("no scan", .truncated, JpegBuilder.file(JpegBuilder.frame())),
        FileCase(
            "a component never coded", .truncated, JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.scan([1, 2]))),
        FileCase("reserved marker", .malformed, JpegBuilder.file([0xFF, 0x10, 0, 2], JpegBuilder.frame())),
        FileCase("second SOI", .malformed, JpegBuilder.file(JpegBuilder.start, JpegBuilder.frame())),
        FileCase("segment length 1", .malformed, JpegBuilder.file([0xFF, 0xE1, 0, 1], JpegBuilder.frame())),
        FileCase(
            "sides faked over the data", .truncated,
            JpegBuilder.file(JpegBuilder.frame(width: 4000, height: 4000), JpegBuilder.scan())),
        FileCase(
            "progressive sides faked over the data", .truncated,
            JpegBuilder.file(JpegBuilder.frame(0xC2, width: 4000, height: 4000), JpegBuilder.scan(spectrum: (0, 0)))),
        FileCase(
            "more than 268 megapixels", .tooManyPixels,
            JpegBuilder.file(JpegBuilder.frame(width: 65_500, height: 65_500), JpegBuilder.scan())),
        FileCase(
            "segment flood", .tooManySegments,
            JpegBuilder.file(
                Array([[UInt8]](repeating: JpegBuilder.segment(0xE5, [1, 2]), count: 1_001).joined()),
                JpegBuilder.frame(), JpegBuilder.scan())),
        FileCase(
            "scan flood", .tooManyScans,
            JpegBuilder.file(
                JpegBuilder.frame(0xC2), JpegBuilder.scan(spectrum: (0, 0)),
                Array([[UInt8]](repeating: JpegBuilder.scan([1], spectrum: (1, 63)), count: 100).joined()))),
        FileCase(
            "metadata flood", .metadataBomb,
            JpegBuilder.file(
                Array(
                    [[UInt8]](repeating: JpegBuilder.segment(0xE5, .init(repeating: 0, count: 65_533)), count: 260)
                        .joined()),
                JpegBuilder.frame(), JpegBuilder.scan())),
    ]

    @Test(arguments: refused) func refuses(_ file: FileCase) { #expect(refusal(file.bytes) == file.expected) }

    /// 4:2:0 16x16 is six blocks: twelve bits of entropy data at least.
    @Test(arguments: [(1, false), (2, true)]) func entropyBoundIsExact(length: Int, isComplete: Bool) throws {
        let data = [UInt8](repeating: 0x5A, count: length)
        let file = JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.scan(data: data))
        #expect(try examine(file).isComplete == isComplete)
    }

    /// A grey frame is not padded to its sampling factors: 9x8 pixels are two blocks, whatever the factors.
    @Test func oneComponentIsNotInterleaved() throws {
        let file = JpegBuilder.file(
            JpegBuilder.frame(width: 9, height: 8, components: [(1, 0x44)]), JpegBuilder.scan([1], data: [0x5A]))
        #expect(try examine(file).isComplete)
    }
}
