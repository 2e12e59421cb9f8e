/// WebPs whose pictures are headers with some bytes behind them.
enum WebpBuilder {
    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        ascii(name) + little32(body.count) + body + (body.count % 2 == 1 ? [0] : [])
    }

    static func lossy(width: Int = 4, height: Int = 3) -> [UInt8] {
        // A key frame that is shown, with a first partition of four bytes.
        chunk(
            "VP8 ", little24(4 << 5 | 0x10) + [0x9D, 0x01, 0x2A] + little16(width) + little16(height) + [1, 2, 3, 4])
    }

    static func lossless(width: Int = 4, height: Int = 3, hasAlpha: Bool = false) -> [UInt8] {
        chunk("VP8L", [0x2F] + little32((width - 1) | (height - 1) << 14 | (hasAlpha ? 1 << 28 : 0)) + [1, 2, 3])
    }

    static func extended(width: Int = 4, height: Int = 3, flags: UInt8 = 0) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + little24(width - 1) + little24(height - 1))
    }

    static func frame(_ picture: [UInt8]) -> [UInt8] {
        chunk("ANMF", little24(0) + little24(0) + little24(3) + little24(2) + little24(100) + [0] + picture)
    }

    static func file(_ parts: [UInt8]...) -> [UInt8] {
        let body = ascii("WEBP") + parts.flatMap { $0 }
        return ascii("RIFF") + little32(body.count) + body
    }

    static let still = file(lossy())
    static let withExif = file(extended(flags: 0x08), lossy(), chunk("EXIF", ascii("Exif\0\0") + JpegBuilder.exifBody))
    static let animated = file(
        extended(flags: 0x12), chunk("ANIM", [0, 0, 0, 0, 0, 0]), frame(lossless()), frame(lossy()))
}
