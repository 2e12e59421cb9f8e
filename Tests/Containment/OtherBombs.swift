import AttachmentRules
import MediaProbe

/// GIF, TIFF and WebP.
enum OtherBombs {
    static var all: [Bomb] {
        [
            gif("GIF 2000x2000, 100000 frames", 2_000, frames: 100_000),
            gif("GIF 65535x65535", 65_535, frames: 1),
            tiff("TIFF 900000x900000", 900_000, 900_000, samples: 3),
            tiff("TIFF 65535 samples", 40_000, 10, samples: 65_535),
            tiffOfOneStrip,
            webp,
        ]
    }

    private static func gif(_ name: String, _ edge: Int, frames: Int) -> Bomb {
        let size = UInt16(edge).littleEndianBytes
        var bytes = Array("GIF89a".utf8) + size + size + [0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
        let frame: [UInt8] =
            [0x21, 0xF9, 4, 4, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0] + [2, 2, 0x44, 1, 0]
        for _ in 0..<frames { bytes += frame }
        return Bomb(name, .gif, edge, edge, .palette, bytes + [0x3B])
    }

    private static func tiff(_ name: String, _ width: Int, _ height: Int, samples: Int) -> Bomb {
        let data = [UInt8](repeating: 0, count: 1_000)
        let directory = directory([
            (256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
            (277, 3, 1, samples), (278, 4, 1, height), (279, 4, 1, data.count), (284, 3, 1, 1),
        ])
        let header = Array("II*\0".utf8) + UInt32(8 + data.count).littleEndianBytes
        return Bomb(name, .tiff, width, height, .gray, header + data + directory)
    }

    /// Its strips all are the same one, which inflates to 6 MB.
    private static var tiffOfOneStrip: Bomb {
        let (edge, rows) = (20_000, 100)
        let strip = ZeroStream(edge * rows * 3).bytes
        let count = edge / rows
        let places = (0..<count).flatMap { _ in UInt32(8).littleEndianBytes }
        let lengths = (0..<count).flatMap { _ in UInt32(strip.count).littleEndianBytes }
        let table = 8 + strip.count
        let directory = directory([
            (256, 4, 1, edge), (257, 4, 1, edge), (258, 3, 1, 8), (259, 3, 1, 8), (262, 3, 1, 2),
            (273, 4, count, table), (277, 3, 1, 3), (278, 4, 1, rows), (279, 4, count, table + places.count),
            (284, 3, 1, 1),
        ])
        let header = Array("II*\0".utf8) + UInt32(table + places.count + lengths.count).littleEndianBytes
        return Bomb(
            "TIFF 20000x20000, one strip 200 times", .tiff, edge, edge, .rgb,
            header + strip + places + lengths + directory)
    }

    private static func directory(_ entries: [(tag: Int, type: Int, count: Int, value: Int)]) -> [UInt8] {
        let fields = entries.flatMap { entry in
            UInt16(entry.tag).littleEndianBytes + UInt16(entry.type).littleEndianBytes
                + UInt32(entry.count).littleEndianBytes + UInt32(entry.value).littleEndianBytes
        }
        return UInt16(entries.count).littleEndianBytes + fields + [0, 0, 0, 0]
    }

    /// Five codes of one symbol each: its pixels take no bit at all.
    private static var webp: Bomb {
        let edge = 16_383
        var bits = BitWriter()
        bits.add(0x2F, 8)
        bits.add(edge - 1, 14)
        bits.add(edge - 1, 14)
        // Neither alpha, version, transform, colour cache nor codes of codes.
        bits.add(0, 1 + 3 + 1 + 1 + 1)
        for _ in 0..<5 {
            bits.add(1, 1)
            bits.add(0, 3)
        }
        bits.pad()
        var data = bits.wholeBytes()
        data += [UInt8](repeating: 0, count: 16 - data.count % 2)
        let chunk = Array("WEBPVP8L".utf8) + UInt32(data.count).littleEndianBytes + data
        let bytes = Array("RIFF".utf8) + UInt32(chunk.count).littleEndianBytes + chunk
        return Bomb("WebP 16383x16383", .webp, edge, edge, .rgb, bytes)
    }
}
