/// The ICC profile of a PNG: compressed in the file's iCCP chunk, stored without compression in the one that we write,
/// so that what a decoder inflates has the size that it sees.
enum PngProfile {
    /// The profile of an iCCP chunk; nil when the chunk is damaged or inflates to too much.
    static func inflated(_ bytes: Span<UInt8>, _ body: Range<Int>) -> [UInt8]? {
        // A keyword of 1 to 79 bytes, a zero, and the only compression method.
        let keyword = body.lowerBound..<min(body.lowerBound + 80, body.upperBound)
        guard let zero = keyword.first(where: { bytes[$0] == 0 }),
            zero > body.lowerBound, zero + 2 <= body.upperBound, bytes[zero + 1] == 0
        else { return nil }
        var budget = InflateBudget(bytes: ColorProfile.mostBytes)
        return InflateCounter.inflated(bytes, in: zero + 2..<body.upperBound, budget: &budget)
    }

    /// A whole iCCP chunk with this profile.
    static func chunk(_ profile: [UInt8]) -> [UInt8] {
        var chunk: [UInt8] = [0, 0, 0, 0] + Array("iCCPicc\0".utf8) + [0, 0x78, 0x01]
        chunk.reserveCapacity(profile.count + profile.count / 1_024 + 64)
        for start in stride(from: 0, to: profile.count, by: 65_535) {
            let block = profile[start..<min(start + 65_535, profile.count)]
            let length = UInt16(block.count)
            chunk.append(block.endIndex == profile.count ? 1 : 0)
            chunk += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
            chunk += block
        }
        chunk += bigEndian(Adler32.checksum(profile))
        chunk.replaceSubrange(0..<4, with: bigEndian(UInt32(chunk.count - 8)))
        return chunk + bigEndian(Crc32.checksum(chunk.span, 4..<chunk.count))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The checksum at the end of a zlib stream (RFC 1950, 8.2).
enum Adler32 {
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        // As many steps as 32 bits hold without a remainder.
        for start in stride(from: 0, to: bytes.count, by: 5_552) {
            for byte in bytes[start..<min(start + 5_552, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= 65_521
            high %= 65_521
        }
        return high << 16 | low
    }
}
