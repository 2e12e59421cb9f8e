/// The CRC-32 of PNG, gzip and zlib (ISO 3309, reflected polynomial EDB88320).
///
/// Sixteen bytes a step with sixteen tables, and two lanes at once because one waits for its own last step: a PNG of
/// the largest accepted size must be checked in a few hundredths of a second.
enum Crc32 {
    /// Bytes of one lane; the two lanes of a pair lie one behind the other.
    private static let laneBytes = 4_096

    /// Row `n` advances a byte over `n` zero bytes.
    private static let steps: [UInt32] = {
        var steps = [UInt32](repeating: 0, count: 16 * 256)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
            steps[index] = value
        }
        for index in 256..<steps.count {
            let previous = steps[index - 256]
            steps[index] = previous >> 8 ^ steps[Int(previous & 0xFF)]
        }
        return steps
    }()

    /// Row `n` advances byte `n` of a sum over the zeros of one lane. The operation is linear, so the 32 single bits
    /// make up all others.
    private static let laneSteps: [UInt32] = {
        var bits = (0..<32).map { UInt32(1) << UInt32($0) }
        for bit in bits.indices {
            for _ in 0..<laneBytes { bits[bit] = bits[bit] >> 8 ^ steps[Int(bits[bit] & 0xFF)] }
        }
        return (0..<4 * 256).map { index in
            (0..<8).reduce(0) { index >> $1 & 1 == 1 ? $0 ^ bits[index >> 8 * 8 + $1] : $0 }
        }
    }()

    /// The checksum of `range`, which must lie inside `bytes`.
    static func checksum(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
        let table = steps.span
        // Tells the compiler that no index below can be out of range: each is a byte plus at most 15 * 256.
        precondition(table.count == 4096 && range.lowerBound >= 0 && range.upperBound <= bytes.count)
        func entry(_ word: UInt64, _ shift: UInt64, _ row: Int) -> UInt32 {
            table[row &* 256 &+ Int(truncatingIfNeeded: word >> shift & 0xFF)]
        }
        func step(_ crc: UInt32, _ offset: Int) -> UInt32 {
            let low = bytes.word64(at: offset) ^ UInt64(crc)
            let high = bytes.word64(at: offset &+ 8)
            var next = entry(low, 0, 15) ^ entry(low, 8, 14) ^ entry(low, 16, 13) ^ entry(low, 24, 12)
            next ^= entry(low, 32, 11) ^ entry(low, 40, 10) ^ entry(low, 48, 9) ^ entry(low, 56, 8)
            next ^= entry(high, 0, 7) ^ entry(high, 8, 6) ^ entry(high, 16, 5) ^ entry(high, 24, 4)
            return next ^ entry(high, 32, 3) ^ entry(high, 40, 2) ^ entry(high, 48, 1) ^ entry(high, 56, 0)
        }

        var crc = UInt32.max
        var offset = range.lowerBound
        while offset &+ 2 &* laneBytes <= range.upperBound {
            var second: UInt32 = 0
            for start in stride(from: offset, to: offset &+ laneBytes, by: 16) {
                crc = step(crc, start)
                second = step(second, start &+ laneBytes)
            }
            crc = advanceOverLane(crc) ^ second
            offset &+= 2 &* laneBytes
        }
        while offset &+ 16 <= range.upperBound {
            crc = step(crc, offset)
            offset &+= 16
        }
        while offset < range.upperBound {
            crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[offset])) & 0xFF)]
            offset &+= 1
        }
        return ~crc
    }

    private static func advanceOverLane(_ crc: UInt32) -> UInt32 {
        (0..<4).reduce(0) { $0 ^ laneSteps[$1 * 256 + Int(crc >> UInt32(8 * $1) & 0xFF)] }
    }
}
