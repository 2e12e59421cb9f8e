import Testing

@testable import MediaProbe

/// Deflate streams made here bit by bit.
enum DeflateSamples {
    /// A zlib stream of `count` zeros in one block of fixed codes: a literal, then runs of 258.
    static func zeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.put(1, 1)
        bits.put(1, 2)
        bits.putCode(0x30, 8)
        for _ in 0..<(count - 1) / 258 {
            // Length symbol 285 has no extra bits; distance symbol 0 is one byte back.
            bits.putCode(0b1100_0101, 8)
            bits.putCode(0, 5)
        }
        for _ in 0..<(count - 1) % 258 { bits.putCode(0x30, 8) }
        bits.putCode(0, 7)
        return [0x78, 0x01] + bits.bytes + [0, 0, 0, 0]
    }

    /// Blocks that each bring two code tables and hold nothing.
    static func emptyDynamicBlocks(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        for block in 0..<count {
            bits.put(block + 1 == count ? 1 : 0, 1)
            bits.put(2, 2)
            bits.put(0, 5)
            bits.put(0, 5)
            bits.put(14, 4)
            // Code lengths in deflate's order: one bit for 18, two for 0 and for 1.
            for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
                bits.put(symbol == 18 ? 1 : symbol <= 1 ? 2 : 0, 3)
            }
            for run in [138, 118] {
                bits.putCode(0, 1)
                bits.put(run - 11, 7)
            }
            bits.putCode(3, 2)
            bits.putCode(3, 2)
            bits.putCode(0, 1)
        }
        return [0x78, 0x01] + bits.bytes
    }

    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var used = 8

        mutating func put(_ value: Int, _ width: Int) {
            for bit in 0..<width {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
                used += 1
            }
        }

        /// Huffman codes go in with their highest bit first.
        mutating func putCode(_ code: Int, _ width: Int) {
            for bit in (0..<width).reversed() { put(code >> bit & 1, 1) }
        }
    }
}

private func outcome(_ stream: [UInt8], _ budget: inout InflateBudget) -> InflateCounter.Outcome {
    InflateCounter.outcome(of: stream.span, in: 0..<stream.count, budget: &budget)
}

@Suite struct InflateCounterTests {
    /// Streams that zlib 1.2.13 wrote, with the size of what went in.
    static let known: [(String, [UInt8], Int)] = [
        ("empty", [0x78, 0x9C, 0x03, 0, 0, 0, 0, 1], 0),
        ("fixed codes: hello", [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x06, 0x2C, 0x02, 0x15], 5),
        ("stored", PngBuilder.stored([UInt8](repeating: 9, count: 300)), 300),
        ("fixed runs", DeflateSamples.zeros(1_000_000), 1_000_000),
        ("dynamic blocks", DeflateSamples.emptyDynamicBlocks(7), 0),
        ("dynamic codes of zlib", zlibSample, 2_000),
    ]

    @Test(arguments: known) func counts(name: String, stream: [UInt8], size: Int) {
        var budget = InflateBudget(bytes: 4 << 20)
        let found = outcome(stream, &budget)
        #expect(found == .size(size), "\(name)")
        #expect(budget.bytes == 4 << 20 - size)
    }

    @Test func stopsAtTheBudget() {
        let stream = DeflateSamples.zeros(1_000_000)
        for (bytes, expected) in [(999_999, InflateCounter.Outcome.exceedsBudget), (1_000_000, .size(1_000_000))] {
            var budget = InflateBudget(bytes: bytes)
            let found = outcome(stream, &budget)
            #expect(found == expected)
        }
    }

    @Test func stopsAtABlockFlood() {
        var budget = InflateBudget(bytes: 1 << 20)
        let stream = DeflateSamples.emptyDynamicBlocks(2_049)
        let found = outcome(stream, &budget)
        #expect(found == .exceedsBudget)
    }

    /// A damaged stream still pays for what it inflated to: many of them must not add up.
    @Test func corruptStreamsCost() {
        var budget = InflateBudget(bytes: 1 << 20)
        let stream = DeflateSamples.zeros(500_000).prefix(1_000)
        let bytes = Array(stream)
        let found = outcome(bytes, &budget)
        #expect(found == .corrupt)
        #expect(budget.bytes < 1 << 20 - 100_000)
    }

    static let corrupt: [(String, [UInt8])] = [
        ("nothing", []), ("one byte", [0x78]), ("not deflate", [0x79, 0x9C, 3, 0]), ("bad check", [0x78, 0x9D, 3, 0]),
        ("needs a dictionary", [0x78, 0xBB, 3, 0]), ("block type 3", [0x78, 0x9C, 7, 0]),
        ("stored lengths disagree", [0x78, 0x9C, 1, 5, 0, 5, 0, 1, 2, 3, 4, 5]),
        ("stored block cut", [0x78, 0x9C, 1, 5, 0, 0xFA, 0xFF, 1, 2]), ("cut", [0x78, 0x9C, 0xCB, 0x48]),
        ("distance before any literal of a code", [0x78, 0x9C, 0xFB, 0xFF, 0xFF]),
    ]

    @Test(arguments: corrupt) func tellsCorrupt(name: String, stream: [UInt8]) {
        var budget = InflateBudget(bytes: 4 << 20)
        let found = outcome(stream, &budget)
        #expect(found == .corrupt, "\(name)")
    }

    /// Every prefix of a good stream is corrupt, never counted as whole (its checksum is not read).
    @Test func prefixes() {
        let whole = zlibSample.count - 4
        for length in 0..<whole {
            let stream = Array(zlibSample.prefix(length))
            var budget = InflateBudget(bytes: 4 << 20)
            let found = outcome(stream, &budget)
            #expect(found == .corrupt)
        }
    }
}

/// 2,000 bytes of runs of twelve letters, compressed by zlib at level 9 (one dynamic block).
private let zlibSample: [UInt8] = [
    0x78, 0xDA, 0xAD, 0xD5, 0xD1, 0x0A, 0x80, 0x20, 0x0C, 0x05, 0xD0, 0x6F, 0x15, 0x0C, 0x0A, 0x22, 0x21, 0xE7,
    0xFF, 0x57, 0xBE, 0x24, 0x39, 0xC7, 0xEE, 0xB5, 0xF3, 0x9C, 0x4E, 0xB7, 0x35, 0x45, 0x54, 0xA9, 0xB5, 0x29,
    0xC4, 0xE5, 0xA4, 0x1C, 0xB6, 0x6C, 0xD2, 0x8E, 0x51, 0x74, 0xD9, 0x2B, 0x0E, 0x2D, 0x84, 0x48, 0x2B, 0x18,
    0xF5, 0x2E, 0x60, 0x2D, 0x76, 0x9F, 0x8D, 0xB5, 0x62, 0xE0, 0x5C, 0x26, 0x4A, 0x46, 0xFD, 0x12, 0xF5, 0x71,
    0x97, 0xCD, 0x91, 0x6E, 0x41, 0xAC, 0x33, 0x0A, 0xCB, 0xDD, 0x61, 0x76, 0x7F, 0xD4, 0x4F, 0x7E, 0x8B, 0x68,
    0x24, 0x1E, 0x6E, 0xF9, 0x8F, 0xB7, 0x17, 0x98, 0x99, 0x90, 0x66, 0x0C, 0xF6, 0xA4, 0x4B, 0x57, 0xD0, 0x48,
    0xBD, 0x99, 0xE1, 0x82, 0x0F, 0x91, 0x50, 0x8D, 0x9E, 0xAA, 0xDE, 0x42, 0xAA, 0xCF, 0x4F, 0x7F, 0x60, 0x63,
    0x85, 0xAF, 0x77, 0x3E, 0xFF, 0x5C, 0x33, 0x48, 0xC0, 0x31, 0x14, 0xC2, 0x05, 0x6C, 0x8F, 0x55, 0x6A,
]

/// What is inflated is what was deflated.
@Suite struct InflateTests {
    private func inflated(_ stream: [UInt8], limit: Int = 1 << 20) -> [UInt8]? {
        var budget = InflateBudget(bytes: limit)
        return InflateCounter.inflated(stream.span, in: 0..<stream.count, budget: &budget)
    }

    @Test func storedBlocksComeBack() {
        for text in ["", "x", "several words"] {
            #expect(inflated(PngBuilder.stored(ascii(text))) == ascii(text))
        }
    }

    @Test func repetitionsComeBack() {
        let zeros = [UInt8](repeating: 0, count: 100_000)
        let stream = Array(DeflateSamples.zeros(zeros.count).dropLast(4)) + PngBuilder.stored(zeros).suffix(4)
        #expect(inflated(stream) == zeros)
        #expect(inflated(stream, limit: zeros.count - 1) == nil)
        #expect(inflated(Array(stream.dropLast(4)) + [0, 0, 0, 0]) == nil)
        #expect(inflated(Array(stream.dropLast(1))) == nil)
    }

    /// Of zlib at level 9, with codes of its own and repetitions from different distances.
    @Test func aStreamOfAnotherProgramComesBack() {
        let text = (0..<60).map { "\($0 * 7919 % 997) of \($0 % 9) and \($0 * $0); " }.joined()
        #expect(inflated(Self.deflated) == ascii(text))
        for index in Self.deflated.indices {
            var damaged = Self.deflated
            damaged[index] ^= 0x10
            _ = inflated(damaged)
        }
    }

    private static let deflated: [UInt8] = [
        120, 218, 77, 147, 75, 110, 5, 33, 12, 4, 175, 50, 71, 192, 95, 176, 230, 52,
        145, 162, 44, 147, 251, 239, 226, 158, 230, 137, 89, 218, 66, 166, 168, 54, 227, 250,
        251, 185, 198, 245, 245, 251, 125, 141, 251, 42, 31, 168, 229, 169, 229, 190, 214, 50,
        212, 250, 212, 222, 181, 38, 106, 123, 234, 186, 175, 153, 133, 218, 121, 62, 187, 33,
        138, 70, 60, 13, 141, 251, 202, 8, 52, 242, 105, 88, 159, 136, 90, 104, 76, 142,
        236, 25, 225, 130, 198, 122, 26, 217, 151, 248, 242, 3, 181, 154, 194, 117, 190, 168,
        70, 115, 218, 28, 135, 75, 180, 207, 152, 216, 33, 19, 239, 49, 26, 249, 102, 235,
        155, 164, 234, 192, 73, 53, 140, 184, 30, 58, 5, 239, 138, 67, 215, 19, 122, 204,
        58, 116, 186, 122, 74, 229, 58, 120, 166, 125, 83, 137, 28, 62, 75, 120, 11, 127,
        121, 3, 241, 172, 121, 248, 220, 251, 204, 164, 107, 242, 245, 155, 219, 21, 109, 147,
        47, 180, 239, 74, 250, 38, 95, 76, 232, 163, 113, 2, 38, 136, 131, 202, 183, 63,
        156, 113, 58, 39, 225, 196, 28, 163, 116, 18, 78, 220, 101, 180, 78, 194, 5, 30,
        165, 246, 157, 45, 152, 149, 222, 73, 88, 120, 151, 208, 251, 54, 56, 240, 120, 161,
        248, 220, 45, 24, 162, 120, 34, 138, 64, 98, 85, 30, 70, 121, 68, 151, 213, 129,
        20, 69, 26, 107, 233, 43, 103, 67, 100, 75, 227, 21, 180, 35, 215, 73, 255, 59,
        233, 64, 248, 147, 1, 124, 162, 6, 123, 50, 129, 77, 154, 88, 163, 96, 4, 155,
        116, 98, 213, 130, 25, 108, 212, 133, 117, 116, 134, 176, 81, 11, 43, 235, 76, 129,
        168, 58, 64, 111, 140, 129, 168, 42, 88, 125, 99, 14, 186, 119, 105, 20, 86, 48,
        14, 170, 218, 128, 46, 38, 65, 84, 245, 1, 169, 140, 226, 243, 103, 64, 207, 40,
        246, 90, 38, 14, 49, 138, 189, 151, 19, 147, 42, 231, 123, 51, 113, 95, 201, 120,
        129, 22, 168, 86, 216, 107, 55, 31, 246, 201, 48, 8, 218, 255, 6, 223, 150, 97,
        216, 103, 167, 177, 122, 12, 131, 160, 102, 176, 149, 12, 131, 160, 230, 112, 250, 15,
        228, 118, 4, 94,
    ]
}
