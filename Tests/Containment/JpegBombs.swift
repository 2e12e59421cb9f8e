import AttachmentRules
import MediaProbe

/// JPEGs of one grey component, whose every code is one zero bit.
enum JpegBombs {
    static var all: [Bomb] {
        let edge = 65_500
        let blocks = edge.eighths * edge.eighths
        let flood = (0..<80_000).reduce(into: [UInt8]()) { flood, _ in flood += [0xFF, 0xE5, 0, 4, 0x61, 0x62] }
        let small = 100.eighths * 100.eighths
        return [
            Bomb("JPEG 65500x65500, faked", .jpeg, edge, edge, .gray, sequential(edge, edge, data: 80_000)),
            Bomb("JPEG 65500x65500, whole", .jpeg, edge, edge, .gray, sequential(edge, edge, data: blocks / 4 + 1)),
            Bomb("JPEG 8000x8000, 5000 scans", .jpeg, 8_000, 8_000, .gray, progressive(8_000, scans: 5_000)),
            Bomb(
                "JPEG 80000 APP segments", .jpeg, 100, 100, .gray,
                sequential(100, 100, extra: flood, data: small / 4 + 1)),
        ]
    }

    /// - Parameter data: how many bytes of entropy data there are.
    private static func sequential(_ width: Int, _ height: Int, extra: [UInt8] = [], data: Int) -> [UInt8] {
        [0xFF, 0xD8] + extra + tables + frame(0xC0, width, height) + code(0, symbol: 0) + code(0x10, symbol: 0)
            + scan(0, 63, data: data) + [0xFF, 0xD9]
    }

    /// Every scan after the first says once more that all the blocks are empty.
    private static func progressive(_ edge: Int, scans: Int) -> [UInt8] {
        let blocks = edge.eighths * edge.eighths
        // One code skips 16,384 blocks and takes 15 bits.
        let empty = scan(1, 63, data: ((blocks + 16_383) / 16_384 * 15 + 7) / 8)
        var bytes =
            [0xFF, 0xD8] + tables + frame(0xC2, edge, edge) + code(0, symbol: 0) + code(0x10, symbol: 0xE0)
            + scan(0, 0, data: (blocks + 7) / 8)
        for _ in 0..<scans { bytes += empty }
        return bytes + [0xFF, 0xD9]
    }

    private static var tables: [UInt8] { [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64) }

    private static func frame(_ marker: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
        [0xFF, marker, 0, 11, 8] + UInt16(height).bigEndianBytes + UInt16(width).bigEndianBytes + [1, 1, 0x11, 0]
    }

    private static func code(_ selector: UInt8, symbol: UInt8) -> [UInt8] {
        [0xFF, 0xC4, 0, 20, selector, 1] + [UInt8](repeating: 0, count: 15) + [symbol]
    }

    private static func scan(_ first: UInt8, _ last: UInt8, data: Int) -> [UInt8] {
        [0xFF, 0xDA, 0, 8, 1, 1, 0, first, last, 0] + [UInt8](repeating: 0, count: data)
    }
}

extension Int {
    /// Blocks of eight that cover it.
    fileprivate var eighths: Int { (self + 7) / 8 }
}
