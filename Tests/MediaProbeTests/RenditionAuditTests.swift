import AttachmentRules
import MediaProbe
import Testing

@Suite struct RenditionAuditTests {
    @Test func acceptsBaseline() throws {
        #expect(
            try audit(JpegBuilder.rendition)
                == RenditionFacts(width: 16, height: 16, isProgressive: false))
    }

    /// 8x8 samples: four blocks of luma, of which one is in the picture, and one of each chroma.
    private static func progressive(_ scans: [UInt8]...) -> [UInt8] {
        // DC of 0 and 1 bits, AC: end of 1 and of 2 blocks, one coefficient of one bit, one after a run.
        let dc = JpegBuilder.segment(0xC4, [0x00, 1, 1] + [UInt8](repeating: 0, count: 14) + [0, 1])
        let ac = JpegBuilder.segment(0xC4, [0x10, 0, 3] + [UInt8](repeating: 0, count: 14) + [0x00, 0x01, 0x21])
        return JpegBuilder.file(
            JpegBuilder.quantization, JpegBuilder.frame(0xC2, width: 8, height: 8), dc, ac, scans.flatMap { $0 })
    }

    /// All but the luma's AC.
    private static let rest =
        JpegBuilder.scan(spectrum: (0, 0), approximation: 0x01, data: [0b0000_0011])
        + JpegBuilder.scan([2], spectrum: (1, 63), data: [0b0011_1111])
        + JpegBuilder.scan([3], spectrum: (1, 63), data: [0b0011_1111])
        + JpegBuilder.scan(spectrum: (0, 0), approximation: 0x10, data: [0b1010_1011])

    private static let luma =
        // The first coefficient, the fourth, and the end.
        JpegBuilder.scan([1], spectrum: (1, 63), approximation: 0x01, data: [0b0111_0100])
        // Between them a new one, behind a bit for the first; the end, with a bit for the fourth.
        + JpegBuilder.scan([1], spectrum: (1, 63), approximation: 0x10, data: [0b0101_0001])

    @Test func acceptsProgressive() throws {
        let file = Self.progressive(
            Self.rest,
            Self.luma)
        #expect(try audit(file) == RenditionFacts(width: 8, height: 8, isProgressive: true))
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: Rule
        let bytes: [UInt8]

        init(_ name: String, _ rule: Rule, _ bytes: [UInt8]) {
            testDescription = name
            self.rule = rule
            self.bytes = bytes
        }
    }

    private static func with(_ part: [UInt8], frame: [UInt8] = JpegBuilder.frame()) -> [UInt8] {
        JpegBuilder.file(
            JpegBuilder.jfif, JpegBuilder.quantization, part, frame, JpegBuilder.codes,
            JpegBuilder.scan(data: JpegBuilder.gray))
    }

    private static func with(
        quantization: [UInt8] = JpegBuilder.quantization, codes: [UInt8] = JpegBuilder.codes, data: [UInt8]
    ) -> [UInt8] {
        JpegBuilder.file(quantization, JpegBuilder.frame(), codes, JpegBuilder.scan(data: data))
    }

    private static func codes(_ counts: [UInt8], _ symbols: [UInt8]) -> [UInt8] {
        JpegBuilder.huffman
            + JpegBuilder.segment(
                0xC4, [0x10] + counts + [UInt8](repeating: 0, count: 16 - counts.count) + symbols)
    }

    /// A luma of more scans or other ones; all else is whole.
    private static func luma(_ scans: (band: (UInt8, UInt8), approximation: UInt8, data: [UInt8])...) -> [UInt8] {
        progressive(
            rest,
            scans.flatMap { JpegBuilder.scan([1], spectrum: $0.band, approximation: $0.approximation, data: $0.data) })
    }

    static let meaningless = [
        Case("a byte too few", .notStripped, with(data: [0x00])),
        Case("a byte too many", .notStripped, with(data: [0x00, 0x0F, 0x00])),
        Case("filled with zeros", .notStripped, with(data: [0x00, 0x00])),
        Case("a bit that is no code", .notStripped, with(data: [0x00, 0x8F])),
        Case("a restart", .notStripped, with(data: [0x00, 0xFF, 0xD0, 0x0F])),
        Case("no quantisation", .notStripped, with(quantization: [], data: JpegBuilder.gray)),
        Case(
            "quantisation by zero", .notStripped,
            with(quantization: JpegBuilder.segment(0xDB, [UInt8](repeating: 0, count: 65)), data: JpegBuilder.gray)),
        Case(
            "another quantisation", .notStripped,
            with(
                quantization: JpegBuilder.segment(0xDB, [1] + [UInt8](repeating: 1, count: 64)),
                data: JpegBuilder.gray)),
        Case("no codes", .notStripped, with(codes: [], data: JpegBuilder.gray)),
        Case("no codes for AC", .notStripped, with(codes: JpegBuilder.huffman, data: JpegBuilder.gray)),
        Case("three codes of one bit", .notStripped, with(codes: codes([3], [0, 1, 2]), data: JpegBuilder.gray)),
        Case("a coefficient of 11 bits", .notStripped, with(codes: codes([1], [0x0B]), data: JpegBuilder.gray)),
        Case("a run that is none", .notStripped, with(codes: codes([1], [0x10]), data: JpegBuilder.gray)),
        // Sixteen zeros each, without an end.
        Case(
            "a coefficient after the last", .notStripped,
            with(codes: codes([1], [0xF0]), data: .init(repeating: 0, count: 8))),
        Case("restart interval", .notStripped, with(JpegBuilder.segment(0xDD, [0, 8]))),
        Case("luma without AC", .notStripped, progressive(rest)),
        Case("luma without its last bit", .notStripped, luma(((1, 63), 0x01, [0b0111_0100]))),
        Case("luma without its last coefficients", .notStripped, luma(((1, 62), 0x00, [0b0011_1111]))),
        Case("a refinement of nothing", .notStripped, luma(((1, 63), 0x10, [0b0011_1111]))),
        Case(
            "a refinement by two bits", .notStripped,
            luma(((1, 63), 0x02, [0b0111_0100]), ((1, 63), 0x20, [0b0101_0001]))),
        Case("a scan twice", .notStripped, luma(((1, 63), 0, [0b0011_1111]), ((1, 63), 0, [0b0011_1111]))),
        Case(
            "a refinement without data", .notStripped, luma(((1, 63), 0x01, [0b0111_0100]), ((1, 63), 0x10, []))),
        Case("a run past the band", .notStripped, luma(((1, 2), 0, [0b1010_0111]), ((3, 63), 0, [0b0011_1111]))),
    ]

    @Test(arguments: meaningless) func refusesWhatMeansNothing(_ test: Case) {
        let error = #expect(throws: Rejection.self) { try audit(test.bytes) }
        #expect(error?.rule == test.rule && error?.code == .badReply)
    }

    static let refused = [
        Case("empty", .notStripped, []),
        Case("not a JPEG", .notStripped, PngBuilder.rgb),
        Case("Exif", .notStripped, with(JpegBuilder.exif())),
        Case("profile", .notStripped, with(JpegBuilder.segment(0xE2, ascii("ICC_PROFILE\0")))),
        Case("IPTC", .notStripped, with(JpegBuilder.segment(0xED, ascii("Photoshop 3.0\0")))),
        Case("Adobe", .notStripped, with(JpegBuilder.adobe(transform: 1))),
        Case("comment", .notStripped, with(JpegBuilder.segment(0xFE, ascii("hello")))),
        Case("second JFIF", .notStripped, with(JpegBuilder.jfif)),
        Case(
            "thumbnail in JFIF", .notStripped,
            JpegBuilder.file(
                JpegBuilder.segment(0xE0, ascii("JFIF\0") + [1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]),
                JpegBuilder.quantization, JpegBuilder.frame(), JpegBuilder.scan())),
        Case("JFIF extension", .notStripped, with(JpegBuilder.segment(0xE0, ascii("JFXX\0") + [0x10]))),
        Case(
            "bytes behind a table", .notStripped, with(JpegBuilder.segment(0xDB, [0] + .init(repeating: 1, count: 70)))),
        Case(
            "bytes behind a code", .notStripped, with(JpegBuilder.segment(0xC4, [0] + .init(repeating: 0, count: 20)))),
        Case("bytes behind the restart interval", .notStripped, with(JpegBuilder.segment(0xDD, [0, 0, 7]))),
        Case("stray byte", .notStripped, with([7])),
        Case("fill byte", .notStripped, with([0xFF])),
        Case("trailing byte", .notStripped, JpegBuilder.rendition + [0]),
        Case("second picture", .notStripped, JpegBuilder.rendition + JpegBuilder.rendition),
        Case("no EOI", .notStripped, Array(JpegBuilder.rendition.dropLast(2))),
        Case("no scan", .notStripped, JpegBuilder.file(JpegBuilder.jfif, JpegBuilder.frame())),
        Case("no frame", .notStripped, JpegBuilder.file(JpegBuilder.jfif)),
        Case("two frames", .notStripped, with(JpegBuilder.frame())),
        Case(
            "fill bytes after a scan", .notStripped, JpegBuilder.file(JpegBuilder.frame(), JpegBuilder.scan(), [0xFF])),
        Case("sides faked", .notStripped, with([], frame: JpegBuilder.frame(width: 900, height: 900))),
        Case("extended", .notStripped, with([], frame: JpegBuilder.frame(0xC1))),
        Case("arithmetic", .notStripped, with([], frame: JpegBuilder.frame(0xC9))),
        Case("12 bits", .notSRGB, with([], frame: JpegBuilder.frame(precision: 12))),
        Case("4:4:4", .notSRGB, with([], frame: JpegBuilder.frame(components: [(1, 0x11), (2, 0x11), (3, 0x11)]))),
        Case(
            "named RGB", .notSRGB,
            with([], frame: JpegBuilder.frame(components: [(0x52, 0x22), (0x47, 0x11), (0x42, 0x11)]))),
        Case(
            "grey", .notSRGB,
            JpegBuilder.file(JpegBuilder.jfif, JpegBuilder.frame(components: [(1, 0x11)]), JpegBuilder.scan([1]))),
    ]

    @Test(arguments: refused) func refuses(_ test: Case) {
        #expect {
            try audit(test.bytes)
        } throws: { error in
            guard let error = error as? Rejection else { return false }
            return error.rule == test.rule && error.code == .badReply && error.stage == .inspect
        }
    }

    /// A header that claims 65,500 x 65,500 pixels would have gigabytes taken for their blocks.
    @Test func morePixelsThanAnnouncedAreRefusedAtTheHeader() {
        let bytes = JpegBuilder.file(
            JpegBuilder.jfif, JpegBuilder.quantization, JpegBuilder.frame(0xC2, width: 65_500, height: 65_500),
            JpegBuilder.codes, JpegBuilder.scan(data: JpegBuilder.gray))
        let refusal = #expect(throws: Rejection.self) { try audit(bytes) }
        #expect(refusal?.rule == .notResized)
        let one = #expect(throws: Rejection.self) { try audit(JpegBuilder.rendition, mostPixels: 16 * 16 - 1) }
        #expect(one?.rule == .notResized)
    }

    @Test func everyPrefixIsRefused() {
        for length in JpegBuilder.rendition.indices {
            let prefix = Array(JpegBuilder.rendition.prefix(length))
            #expect(throws: Rejection.self) { try audit(prefix) }
        }
    }
}

/// For a macro, which cannot hold a span.
private func audit(_ bytes: [UInt8], mostPixels: Int = 1 << 20) throws(Rejection) -> RenditionFacts {
    try RenditionAudit.examine(bytes.span, mostPixels: mostPixels)
}
