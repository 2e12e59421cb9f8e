import MediaProbe
import Testing

/// The parts of a rebuilt JPEG, byte by byte.
@Suite struct JpegStreamTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let expected: [UInt8]
        var testDescription: String { name }
    }

    private static func file(_ head: [UInt8], scan: [UInt8] = JpegBuilder.scan()) -> [UInt8] {
        JpegBuilder.file(head, JpegBuilder.quantization, JpegBuilder.frame(), JpegBuilder.huffman, scan)
    }

    private static func four(_ adobe: [UInt8]) -> [UInt8] {
        JpegBuilder.file(
            adobe, JpegBuilder.quantization,
            JpegBuilder.frame(components: [(1, 0x11), (2, 0x11), (3, 0x11), (4, 0x11)]),
            JpegBuilder.huffman, JpegBuilder.scan([1, 2, 3, 4]))
    }

    private static func jfif(_ numbers: [UInt8]) -> [UInt8] { JpegBuilder.segment(0xE0, ascii("JFIF\0") + numbers) }

    static let cases = [
        Case(
            name: "JFIF version 2", bytes: file(jfif([2, 1, 0, 0, 1, 0, 1, 0, 0])),
            expected: file(jfif([1, 1, 0, 0, 1, 0, 1, 0, 0]))),
        Case(
            name: "a resolution is kept", bytes: file(jfif([1, 2, 1, 0, 72, 0, 72, 0, 0])),
            expected: file(jfif([1, 2, 1, 0, 72, 0, 72, 0, 0]))),
        Case(
            name: "a resolution of zero is none", bytes: file(jfif([1, 2, 7, 0, 0, 0, 72, 0, 0])),
            expected: file(jfif([1, 2, 0, 0, 1, 0, 1, 0, 0]))),
        Case(
            name: "a JFIF too short to count", bytes: file(JpegBuilder.segment(0xE0, ascii("JFIF\0") + [1, 1])),
            expected: file([])),
        Case(
            name: "an unknown transform of three is YCbCr", bytes: file(JpegBuilder.adobe(transform: 9)),
            expected: file(JpegBuilder.adobe(transform: 1))),
        Case(
            name: "no transform of three is RGB", bytes: file(JpegBuilder.adobe(transform: 0)),
            expected: file(JpegBuilder.adobe(transform: 0))),
        Case(
            name: "the last Adobe segment counts",
            bytes: file(JpegBuilder.adobe(transform: 0) + JpegBuilder.adobe(transform: 1)),
            expected: file(JpegBuilder.adobe(transform: 1))),
        Case(
            name: "an unknown transform of four is YCCK", bytes: four(JpegBuilder.adobe(transform: 1)),
            expected: four(JpegBuilder.adobe(transform: 2))),
        Case(
            name: "no transform of four is CMYK", bytes: four(JpegBuilder.adobe(transform: 0)),
            expected: four(JpegBuilder.adobe(transform: 0))),
        Case(
            name: "a sequential scan without its last coefficient",
            bytes: file(JpegBuilder.jfif, scan: JpegBuilder.scan(spectrum: (0, 0))),
            expected: file(JpegBuilder.jfif, scan: JpegBuilder.scan())),
        Case(
            name: "sequential scans with an approximation",
            bytes: file([], scan: [1, 2, 3].flatMap { JpegBuilder.scan([$0], spectrum: (1, 9), approximation: 0x21) }),
            expected: file([], scan: [1, 2, 3].flatMap { JpegBuilder.scan([$0]) })),
        Case(
            name: "restart interval, fill bytes and a temporary marker",
            bytes: file([0xFF, 0x01, 0xFF, 0xFF] + JpegBuilder.segment(0xDD, [0, 1])),
            expected: file(JpegBuilder.segment(0xDD, [0, 1]))),
        Case(
            name: "tables keep their order",
            bytes: file(JpegBuilder.huffman + JpegBuilder.segment(0xFE, [1]) + JpegBuilder.quantization),
            expected: file(JpegBuilder.huffman + JpegBuilder.quantization)),
        Case(name: "a progressive picture", bytes: JpegBuilder.progressive, expected: JpegBuilder.progressive),
    ]

    @Test(arguments: cases) func isRebuiltAs(_ test: Case) throws {
        let made = try HandedOver(test.bytes)
        #expect(made.picture == test.expected)
        #expect(made.stream.isFile(of: test.bytes.count) == (test.bytes == test.expected))
        try DecoderStreamTests.expectSettled(test.bytes, made)
    }
}
