/// JPEGs made of segments; the entropy data is long enough but means nothing.
enum JpegBuilder {
    static let start: [UInt8] = [0xFF, 0xD8]
    static let end: [UInt8] = [0xFF, 0xD9]
    static let jfif = segment(0xE0, ascii("JFIF\0") + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    static let quantization = segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    /// One code of one bit.
    static let huffman = segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
    /// Codes of one bit for DC and for AC, which say that there is nothing.
    static let codes =
        huffman + segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    static let entropy = [UInt8](repeating: 0x5A, count: 24)
    static let exifBody = ascii("II*\0") + little32(8) + [0, 0, 0, 0, 0, 0]

    static func segment(_ code: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, code] + big16(body.count + 2) + body
    }

    static func adobe(transform: UInt8) -> [UInt8] {
        segment(0xEE, ascii("Adobe") + [0, 100, 0, 0, 0, 0, transform])
    }

    static func exif(_ body: [UInt8] = exifBody) -> [UInt8] { segment(0xE1, ascii("Exif\0\0") + body) }

    /// - Parameter components: identifier and sampling factors (0x22 for 2x2).
    static func frame(
        _ code: UInt8 = 0xC0, width: Int = 16, height: Int = 16, precision: UInt8 = 8,
        components: [(UInt8, UInt8)] = [(1, 0x22), (2, 0x11), (3, 0x11)]
    ) -> [UInt8] {
        var body = [precision] + big16(height) + big16(width)
        body.append(UInt8(components.count))
        for (identifier, sampling) in components { body += [identifier, sampling, 0] }
        return segment(code, body)
    }

    static func scan(
        _ identifiers: [UInt8] = [1, 2, 3], spectrum: (UInt8, UInt8) = (0, 63), approximation: UInt8 = 0,
        data: [UInt8] = entropy
    ) -> [UInt8] {
        var body = [UInt8(identifiers.count)]
        for identifier in identifiers { body += [identifier, 0] }
        body += [spectrum.0, spectrum.1, approximation]
        return segment(0xDA, body) + data
    }

    /// A whole file around these parts.
    static func file(_ parts: [UInt8]...) -> [UInt8] { start + parts.flatMap { $0 } + end }

    static let baseline = file(jfif, exif(), quantization, frame(), huffman, scan())
    static let progressive = file(
        jfif, quantization, frame(0xC2), huffman, scan(spectrum: (0, 0), approximation: 1),
        scan([1], spectrum: (1, 63)), scan([2], spectrum: (1, 63)), scan([3], spectrum: (1, 63)))
    /// What the audit of renditions lets through.
    static let rendition = file(jfif, quantization, frame(), codes, scan(data: gray))
    /// Six blocks without a coefficient, in two bits each, and the bits that fill the last byte.
    static let gray: [UInt8] = [0x00, 0x0F]
}
