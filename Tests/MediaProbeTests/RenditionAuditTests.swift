import AttachmentRules
import MediaProbe
import Testing

@Suite struct RenditionAuditTests {
    @Test func acceptsBaseline() throws {
        #expect(
            try audit(JpegBuilder.rendition)
                == RenditionFacts(width: 16, height: 16, isProgressive: false))
    }

    @Test func acceptsProgressiveWithRestarts() throws {
        let file = JpegBuilder.file(
            JpegBuilder.quantization, JpegBuilder.frame(0xC2, width: 800, height: 16),
            JpegBuilder.segment(0xDD, [0, 8]), JpegBuilder.huffman,
            JpegBuilder.scan(spectrum: (0, 0), data: .init(repeating: 0x5A, count: 60)),
            JpegBuilder.scan([1], spectrum: (1, 63)))
        #expect(
            try audit(file) == RenditionFacts(width: 800, height: 16, isProgressive: true))
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: Rejection.Rule
        let bytes: [UInt8]

        init(_ name: String, _ rule: Rejection.Rule, _ bytes: [UInt8]) {
            testDescription = name
            self.rule = rule
            self.bytes = bytes
        }
    }

    private static func with(_ part: [UInt8], frame: [UInt8] = JpegBuilder.frame()) -> [UInt8] {
        JpegBuilder.file(
            JpegBuilder.jfif, JpegBuilder.quantization, part, frame, JpegBuilder.huffman, JpegBuilder.scan())
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

    @Test func everyPrefixIsRefused() {
        for length in JpegBuilder.rendition.indices {
            let prefix = Array(JpegBuilder.rendition.prefix(length))
            #expect(throws: Rejection.self) { try audit(prefix) }
        }
    }
}

/// For a macro, which cannot hold a span.
private func audit(_ bytes: [UInt8]) throws(Rejection) -> RenditionFacts { try RenditionAudit.examine(bytes.span) }
