/// PNGs with real checksums; the picture data is a stored deflate stream of zeros.
enum PngBuilder {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let end = chunk("IEND", [])

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let summed = ascii(name) + body
        return big32(body.count) + summed + big32(Int(slowCrc(summed)))
    }

    /// Bit by bit, to be independent of what is tested.
    static func slowCrc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    static func header(
        width: Int = 4, height: Int = 3, depth: UInt8 = 8, type: UInt8 = 2, methods: [UInt8] = [0, 0, 0]
    ) -> [UInt8] {
        chunk("IHDR", big32(width) + big32(height) + [depth, type] + methods)
    }

    /// A zlib stream of one stored block.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var low = 1
        var high = 0
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01, 1] + little16(bytes.count) + little16(bytes.count ^ 0xFFFF) + bytes + big16(high)
            + big16(low)
    }

    static let data = chunk("IDAT", stored([UInt8](repeating: 0, count: 39)))

    static func file(_ parts: [UInt8]...) -> [UInt8] { signature + parts.flatMap { $0 } + end }

    static let rgb = file(header(), chunk("eXIf", JpegBuilder.exifBody), data)
    static let palette = file(
        header(type: 3), chunk("PLTE", [1, 2, 3]), chunk("tRNS", [0]),
        chunk("IDAT", stored(.init(repeating: 0, count: 15))))
    static let animationControl = chunk("acTL", big32(2) + big32(0))

    static func frameControl(_ sequence: Int) -> [UInt8] {
        chunk("fcTL", big32(sequence) + big32(4) + big32(3) + big32(0) + big32(0) + [0, 1, 0, 10, 0, 0])
    }

    static let animated = file(
        header(), animationControl, frameControl(0), data, frameControl(1),
        chunk("fdAT", big32(2) + stored([UInt8](repeating: 0, count: 39))))
}
