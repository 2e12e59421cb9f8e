import Testing

@testable import MediaProbe

@Suite struct JpegMarkerSearchTests {
    /// The rule, one byte at a time.
    private func slowSearch(_ bytes: [UInt8], from start: Int) -> Int? {
        (start..<max(start, bytes.count - 1)).first { offset in
            let code = bytes[offset + 1]
            return bytes[offset] == 0xFF && code != 0 && code != 0xFF && !(0xD0...0xD7).contains(code)
        }
    }

    /// Bytes drawn from those that matter, so that every combination lands on every place of a word.
    @Test func agreesWithTheSlowForm() {
        var generator = SeededGenerator(seed: 11)
        let alphabet: [UInt8] = [0xFF, 0xFF, 0, 0, 0xD0, 0xD7, 0xCF, 0xD8, 0x80, 0x7F, 0x01, 0x5A, 0x5A, 0x5A]
        for _ in 0..<3_000 {
            let length = Int.random(in: 0...40, using: &generator)
            let isSparse = Bool.random(using: &generator)
            let bytes = (0..<length).map { _ in
                isSparse && Int.random(in: 0..<4, using: &generator) > 0
                    ? 0x5A : alphabet.randomElement(using: &generator)!
            }
            let start = Int.random(in: 0...length, using: &generator)
            let found = bytes.span.nextJpegMarker(from: start)
            #expect(found == slowSearch(bytes, from: start), "\(bytes) \(start)")
        }
    }
}
