/// Bounds-checked reads. A read past the end gives nil, which every walker treats as "the file ends here".
extension Span<UInt8> {
    func byte(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < count else { return nil }
        return self[offset]
    }

    func bigEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    func bigEndian32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return Int(word32(at: offset).byteSwapped)
    }

    func bigEndian64(at offset: Int) -> UInt64? {
        guard offset >= 0, offset <= count - 8 else { return nil }
        return word64(at: offset).byteSwapped
    }

    func littleEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset + 1]) << 8 | Int(self[offset])
    }

    func littleEndian24(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 3 else { return nil }
        return Int(self[offset + 2]) << 16 | Int(self[offset + 1]) << 8 | Int(self[offset])
    }

    func littleEndian32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return Int(word32(at: offset))
    }

    func littleEndian64(at offset: Int) -> UInt64? {
        guard offset >= 0, offset <= count - 8 else { return nil }
        return word64(at: offset)
    }

    func fourCC(at offset: Int) -> FourCC? {
        bigEndian32(at: offset).map { FourCC(UInt32(truncatingIfNeeded: $0)) }
    }

    /// True when the bytes at `offset` are these.
    func has(_ pattern: StaticString, at offset: Int) -> Bool {
        let length = pattern.utf8CodeUnitCount
        guard offset >= 0, offset <= count - length else { return false }
        for index in 0..<length where self[offset + index] != pattern.utf8Start[index] { return false }
        return true
    }

    func has(_ pattern: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - pattern.count else { return false }
        for index in pattern.indices where self[offset + index] != pattern[index] { return false }
        return true
    }

    /// True when this range of compressed data ends with 64 zero bytes or more: space that was reserved for a file and
    /// never filled, as an interrupted upload leaves it. Decoders take it for data and smear the rest of the picture.
    ///
    /// Sound, because compressed data does not end so. HEVC forbids three zero bytes in a row inside a NAL unit; an AV1
    /// tile ends with a one bit, which may be padded but by no known encoder is. WebP's one byte of padding is outside of
    /// its chunk; measured with libwebp, pictures whose lower half is one colour end with six zero bytes, and every good
    /// picture of the corpus is still let through.
    func endsUnwritten(_ range: Range<Int>) -> Bool {
        let zeros = 64
        guard range.count >= zeros, range.lowerBound >= 0, range.upperBound <= count else { return false }
        return stride(from: range.upperBound - zeros, to: range.upperBound, by: 8).allSatisfy { word64(at: $0) == 0 }
    }

    /// A copy of this range, which must lie inside.
    func array(_ range: Range<Int>) -> [UInt8] {
        extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    /// Eight bytes as a little-endian number; out of range stops the program, so callers test first.
    func word64(at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private func word32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}

/// Four characters that name a chunk, box or brand.
struct FourCC: Hashable, ExpressibleByStringLiteral {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    init(stringLiteral name: StaticString) {
        precondition(name.utf8CodeUnitCount == 4)
        var value: UInt32 = 0
        for index in 0..<4 { value = value << 8 | UInt32(name.utf8Start[index]) }
        self.value = value
    }

    private var characters: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// True when all four are ASCII that prints; a box of a real file has such a name (QuickTime adds U+00A9).
    var isPrintable: Bool { characters.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0xA9 } }

    /// The name for a message: what does not print becomes a question mark.
    var name: String {
        String(decoding: characters.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
