/// One Huffman code of a JPEG (T.81, annex C), with a table for codes of up to nine bits.
struct JpegCode {
    private static let directBits = 9

    /// length << 8 | symbol; zero where the code is longer or does not exist.
    private var direct = [UInt16](repeating: 0, count: 1 << directBits)
    /// For each length the first code beyond its last one, aligned to 16 bits, and where its symbols lie.
    private var limits = [Int](repeating: 0, count: 17)
    private var offsets = [Int](repeating: 0, count: 17)
    private var symbols: [UInt8] = []

    /// Reads a table at `position`, which then is behind it; nil when it runs past `end`, when its lengths describe no
    /// code, or when it has a symbol for more bits than coefficients of eight-bit samples have.
    init?(_ bytes: Span<UInt8>, at position: inout Int, end: Int, isDC: Bool) {
        let counts = position
        guard position + 16 <= end else { return nil }
        position += 16
        var code = 0
        for length in 1...16 {
            let count = Int(bytes[counts + length - 1])
            guard position + count <= end, code + count <= 1 << length else { return nil }
            offsets[length] = symbols.count - code
            for _ in 0..<count {
                let symbol = bytes[position]
                position += 1
                guard isDC ? symbol <= 11 : symbol & 15 <= 10 else { return nil }
                symbols.append(symbol)
                if length <= Self.directBits {
                    let unused = Self.directBits - length
                    for index in code << unused..<(code + 1) << unused {
                        direct[index] = UInt16(length) << 8 | UInt16(symbol)
                    }
                }
                code += 1
            }
            limits[length] = code << (16 - length)
            code <<= 1
        }
    }

    /// The next symbol, or nil when the bits are no code or have run out.
    @inline(__always)
    func next(_ bits: inout EntropyBits, from bytes: Span<UInt8>) -> Int? {
        let window = bits.peek16(from: bytes)
        let entry = Int(direct[window >> (16 - Self.directBits)])
        if entry != 0 { return bits.drop(entry >> 8) ? entry & 0xFF : nil }
        for length in Self.directBits + 1..<17 where window < limits[length] {
            return bits.drop(length) ? Int(symbols[offsets[length] + window >> (16 - length)]) : nil
        }
        return nil
    }
}

/// The entropy-coded bits of one scan: the highest bit of a byte comes first, and 0xFF is followed by a zero.
struct EntropyBits {
    private var next: Int
    private let end: Int
    private var buffer: UInt64 = 0
    private var available = 0

    init(_ range: Range<Int>) {
        next = range.lowerBound
        end = range.upperBound
    }

    private mutating func refill(from bytes: Span<UInt8>) {
        while available <= 56, next < end {
            let byte = bytes[next]
            if byte == 0xFF {
                guard next + 1 < end, bytes[next + 1] == 0 else { return }
                next += 1
            }
            next += 1
            buffer = buffer << 8 | UInt64(byte)
            available += 8
        }
    }

    /// The next 16 bits, with zeros after the end.
    @inline(__always)
    mutating func peek16(from bytes: Span<UInt8>) -> Int {
        if available < 16 { refill(from: bytes) }
        let bits = available >= 16 ? buffer >> UInt64(available - 16) : buffer << UInt64(16 - available)
        return Int(truncatingIfNeeded: bits & 0xFFFF)
    }

    /// Skips bits that were looked at; false when there are fewer.
    @inline(__always)
    mutating func drop(_ width: Int) -> Bool {
        available -= width
        return available >= 0
    }

    /// The next bits, at most 16, or nil when there are fewer.
    @inline(__always)
    mutating func take(_ width: Int, from bytes: Span<UInt8>) -> Int? {
        let window = peek16(from: bytes)
        return drop(width) ? window >> (16 - width) : nil
    }

    /// Whether nothing is left but the ones that fill the last byte.
    func isAtEnd() -> Bool {
        let rest = UInt64(1) << UInt64(max(available, 0)) - 1
        return next == end && (0..<8).contains(available) && buffer & rest == rest
    }
}
