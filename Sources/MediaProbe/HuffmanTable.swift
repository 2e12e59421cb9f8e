/// One canonical Huffman code with a direct table for codes of up to ten bits.
struct HuffmanTable {
    static let directBits = 10

    /// symbol << 4 | length; zero where the code is longer or does not exist.
    private(set) var direct = [UInt16](repeating: 0, count: 1 << directBits)
    private var counts = [Int](repeating: 0, count: 16)
    private var symbols = [UInt16](repeating: 0, count: 288)

    /// False when the lengths do not describe a code.
    mutating func build(_ lengths: ArraySlice<UInt8>) -> Bool {
        for length in 0..<16 { counts[length] = 0 }
        for length in lengths { counts[Int(length)] += 1 }
        counts[0] = 0
        var left = 1
        for length in 1..<16 {
            left = left * 2 - counts[length]
            if left < 0 { return false }
        }
        var nextIndex = [Int](repeating: 0, count: 17)
        var nextCode = [Int](repeating: 0, count: 17)
        for length in 1..<16 {
            nextIndex[length + 1] = nextIndex[length] + counts[length]
            nextCode[length + 1] = (nextCode[length] + counts[length]) << 1
        }
        for index in direct.indices { direct[index] = 0 }
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            symbols[nextIndex[length]] = UInt16(symbol)
            nextIndex[length] += 1
            let code = nextCode[length]
            nextCode[length] += 1
            guard length <= Self.directBits else { continue }
            var reversed = 0
            for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
            for index in stride(from: reversed, to: direct.count, by: 1 << length) {
                direct[index] = UInt16(symbol << 4 | length)
            }
        }
        return true
    }

    /// The next symbol, or -1 when the bits are no code or have run out.
    func next(_ bits: inout BitQueue, from bytes: Span<UInt8>) -> Int {
        let window = bits.peek15(from: bytes)
        let entry = Int(direct[window & (1 << Self.directBits - 1)])
        if entry != 0 {
            guard entry & 15 <= bits.available else { return -1 }
            bits.drop(entry & 15)
            return entry >> 4
        }
        var code = 0
        var first = 0
        var index = 0
        for length in 1..<16 {
            code |= window >> (length - 1) & 1
            let count = counts[length]
            if code - first < count {
                guard length <= bits.available else { return -1 }
                bits.drop(length)
                return Int(symbols[index + code - first])
            }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        return -1
    }
}
