import AttachmentRules
import MediaProbe
import Testing

/// Damaged files must never stop the program nor pass for whole ones.
@Suite struct DamageTests {
    @Test(arguments: wholeFiles.indices) func wholeFileIsComplete(_ index: Int) throws {
        let file = wholeFiles[index]
        let facts = try examine(file.bytes)
        #expect(facts.isComplete && facts.trailingBytes == 0, "\(file.name)")
        #expect(refusal(file.bytes) == nil, "\(file.name)")
    }

    @Test(arguments: wholeFiles.indices) func everyPrefixIsIncomplete(_ index: Int) {
        let file = wholeFiles[index]
        for length in 0..<file.bytes.count {
            let prefix = Array(file.bytes.prefix(length))
            let facts = try? examine(prefix)
            #expect(facts?.isComplete != true, "\(file.name) cut to \(length) of \(file.bytes.count) bytes")
        }
    }

    @Test(arguments: wholeFiles.indices) func everyFlippedBitIsSurvived(_ index: Int) {
        var bytes = wholeFiles[index].bytes
        for offset in bytes.indices {
            for bit in 0..<8 {
                bytes[offset] ^= 1 << UInt8(bit)
                _ = refusal(bytes)
                bytes[offset] ^= 1 << UInt8(bit)
            }
        }
    }

    /// Several wild bytes, cuts and repetitions at once.
    @Test(arguments: wholeFiles.indices) func mutationsAreSurvived(_ index: Int) {
        var generator = SeededGenerator(seed: UInt64(index) + 1)
        let wild: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF]
        let original = wholeFiles[index].bytes
        for _ in 0..<2_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let offset = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[offset] = wild.randomElement(using: &generator)!
                case 2: bytes.removeSubrange(offset..<min(bytes.count, offset + 3))
                default: bytes.insert(contentsOf: original.prefix(offset).suffix(9), at: offset)
                }
                if bytes.isEmpty { bytes = original }
            }
            if let facts = try? examine(bytes), let exif = facts.exif {
                #expect(exif.lowerBound >= 0 && exif.upperBound <= bytes.count)
            }
        }
    }

    /// The same for what only looks like a file: every signature, then noise.
    @Test func noiseAfterSignaturesIsSurvived() {
        var generator = SeededGenerator(seed: 99)
        for (_, start, _) in SignatureTests.table {
            for _ in 0..<40 {
                let noise = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                _ = refusal(start + noise)
            }
        }
    }
}
