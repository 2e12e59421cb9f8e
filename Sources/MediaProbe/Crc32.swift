/// The CRC-32 of PNG, gzip and zlib (ISO 3309, reflected polynomial EDB88320).
///
/// Sixteen bytes a step with sixteen tables: a PNG of the largest accepted size must be checked in a few hundredths
/// of a second.
enum Crc32 {
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 16 * 256)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
            tables[index] = value
        }
        for index in 256..<tables.count {
            let previous = tables[index - 256]
            tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
        }
        return tables
    }()

    /// The checksum of `range`, which must lie inside `bytes`.
    static func checksum(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        let table = tables.span
        // Tells the compiler that no index below can be out of range: each is a byte plus at most 15 * 256.
        precondition(table.count == 4096 && range.lowerBound >= 0 && range.upperBound <= bytes.count)
        func entry(_ word: UInt64, _ shift: UInt64, _ row: Int) -> UInt32 {
            table[row &* 256 &+ Int(truncatingIfNeeded: word >> shift & 0xFF)]
        }

        var crc = UInt32.max
        var offset = range.lowerBound
        while offset &+ 16 <= range.upperBound {
            let low = bytes.word64(at: offset) ^ UInt64(crc)
            let high = bytes.word64(at: offset &+ 8)
            crc = entry(low, 0, 15) ^ entry(low, 8, 14) ^ entry(low, 16, 13) ^ entry(low, 24, 12)
            crc ^= entry(low, 32, 11) ^ entry(low, 40, 10) ^ entry(low, 48, 9) ^ entry(low, 56, 8)
            crc ^= entry(high, 0, 7) ^ entry(high, 8, 6) ^ entry(high, 16, 5) ^ entry(high, 24, 4)
            crc ^= entry(high, 32, 3) ^ entry(high, 40, 2) ^ entry(high, 48, 1) ^ entry(high, 56, 0)
            offset &+= 16
        }
        while offset < range.upperBound {
            crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[offset])) & 0xFF)]
            offset &+= 1
        }
        return ~crc
    }
}
