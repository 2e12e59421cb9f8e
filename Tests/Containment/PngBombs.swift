import AttachmentRules
import MediaProbe

/// PNGs that inflate to far more than they are.
enum PngBombs {
    static var all: [Bomb] {
        [
            picture("PNG 30000x30000 RGBA zeros", 30_000, 30_000, depth: 8, color: 6),
            picture("PNG 60000x60000 1 bit", 60_000, 60_000, depth: 1, color: 0),
            picture("PNG 20000x20000 interlaced", 20_000, 20_000, depth: 8, color: 2, isInterlaced: true),
            picture("PNG 50 zTXt of 50 MB", 800, 800, depth: 8, color: 0, extra: texts),
            picture(
                "PNG iCCP of 200 MB", 800, 800, depth: 8, color: 2,
                extra: chunk("iCCP", Array("x\0\0".utf8) + ZeroStream(200_000_000).bytes)),
            picture("PNG 2147483647 wide", 0x7FFF_FFFF, 0x7FFF_FFFF, depth: 8, color: 2, data: []),
        ]
    }

    private static var texts: [UInt8] {
        let text = chunk("zTXt", Array("key\0\0".utf8) + ZeroStream(50_000_000).bytes)
        return (0..<50).reduce(into: []) { texts, _ in texts += text }
    }

    private static func picture(
        _ name: String, _ width: Int, _ height: Int, depth: Int, color: Int, isInterlaced: Bool = false,
        extra: [UInt8] = [], data: [UInt8]? = nil
    ) -> Bomb {
        let channels = [0: 1, 2: 3, 6: 4][color] ?? 1
        func length(_ width: Int, _ height: Int) -> Int {
            width == 0 ? 0 : height * (1 + (width * channels * depth + 7) / 8)
        }
        func lengthOfPasses() -> Int {
            let passes = [
                (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
            ]
            return passes.reduce(0) { sum, pass in
                let (x, y, stepX, stepY) = pass
                return sum + length((width - x + stepX - 1) / stepX, (height - y + stepY - 1) / stepY)
            }
        }
        let header =
            UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes
            + [UInt8(depth), UInt8(color), 0, 0, isInterlaced ? 1 : 0]
        let bytes =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + extra
            + (data.map { chunk("IDAT", $0) }
                ?? chunks(of: ZeroStream(isInterlaced ? lengthOfPasses() : length(width, height))))
            + chunk("IEND", [])
        let model: MediaFacts.ColorModel = color == 0 ? .gray : .rgb
        return Bomb(name, .png, width, height, model, bytes)
    }

    /// The zeros in chunks that are all the same, so that one checksum does for them.
    private static func chunks(of stream: ZeroStream) -> [UInt8] {
        let length = 8_192
        let middle = chunk("IDAT", [UInt8](repeating: 0, count: length))
        var bytes = chunk("IDAT", stream.head)
        bytes.reserveCapacity(stream.zeros + stream.zeros / 512 + 1_000)
        for _ in 0..<stream.zeros / length { bytes += middle }
        return bytes + chunk("IDAT", [UInt8](repeating: 0, count: stream.zeros % length) + stream.tail)
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + body
        return UInt32(body.count).bigEndianBytes + content + crc(content).bigEndianBytes
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            table.withUnsafeBufferPointer { table in
                var crc = UInt32.max
                for byte in bytes { crc = crc >> 8 ^ table[Int(truncatingIfNeeded: crc ^ UInt32(byte)) & 0xFF] }
                return ~crc
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
}
