import Testing

@testable import MediaProbe

@Suite struct Crc32Tests {
    /// The check value of the CRC catalogue, and the two chunk types whose sums every PNG shows.
    static let known: [(String, UInt32)] = [
        ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926), ("IEND", 0xAE42_6082),
        ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ]

    @Test(arguments: known) func knownValues(text: String, sum: UInt32) {
        let bytes = ascii(text)
        let found = Crc32.checksum(bytes.span, 0..<bytes.count)
        #expect(found == sum)
    }

    /// Every length around the step of sixteen, from every start, against one bit at a time.
    @Test func agreesWithTheSlowForm() {
        var generator = SeededGenerator(seed: 3)
        let bytes = (0..<80).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for start in 0..<18 {
            for end in start...bytes.count {
                let found = Crc32.checksum(bytes.span, start..<end)
                #expect(found == PngBuilder.slowCrc(Array(bytes[start..<end])))
            }
        }
    }

    /// Lengths around the pairs of 4,096-byte lanes.
    @Test(arguments: [8_191, 8_192, 8_193, 16_384, 20_001]) func agreesOverLanes(length: Int) {
        var generator = SeededGenerator(seed: UInt64(length))
        let bytes = (0..<length + 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let found = Crc32.checksum(bytes.span, 3..<length + 3)
        #expect(found == PngBuilder.slowCrc(Array(bytes[3...])))
    }
}
