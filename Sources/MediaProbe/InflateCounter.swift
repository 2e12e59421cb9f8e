/// What all compressed texts and profiles of one file may still inflate to.
struct InflateBudget {
    /// Bytes left.
    var bytes: Int
    /// Deflate blocks left: one for every 2 KiB of 4 MiB. Each may bring its own Huffman tables, and building
    /// those is what a stream of empty blocks would cost.
    var blocks = 2_048
}

/// Counts what a zlib stream inflates to, without inflating it.
///
/// Only the Huffman symbols are decoded; there is no window and no output, so a stream that claims 200 MB costs a
/// few kilobytes and ends at the limit.
struct InflateCounter {
    enum Outcome: Equatable {
        /// The stream is whole and inflates to this many bytes.
        case size(Int)
        /// More bytes or blocks than the budget has left.
        case exceedsBudget
        /// Not a zlib stream, damaged, or cut short.
        case corrupt
    }

    private let limit: Int
    private var bits = BitQueue()
    private var size = 0
    private var literals = HuffmanTable()
    private var distances = HuffmanTable()

    /// The outcome for the zlib stream (RFC 1950) in `range`, which must lie inside `bytes`; what it took is taken
    /// from the budget even when the stream turns out to be corrupt.
    static func outcome(of bytes: Span<UInt8>, in range: Range<Int>, budget: inout InflateBudget) -> Outcome {
        guard range.count >= 2, let header = bytes.bigEndian16(at: range.lowerBound) else { return .corrupt }
        let isDeflate = header >> 8 & 0x0F == 8
        let hasDictionary = header & 0x20 != 0
        guard isDeflate, !hasDictionary, header % 31 == 0 else { return .corrupt }
        let body = bytes.extracting(range.lowerBound + 2..<range.upperBound)
        var counter = InflateCounter(limit: budget.bytes)
        let outcome = counter.countBlocks(body, &budget.blocks)
        budget.bytes -= counter.size
        return outcome
    }

    private init(limit: Int) { self.limit = limit }

    private mutating func countBlocks(_ bytes: Span<UInt8>, _ blocks: inout Int) -> Outcome {
        while blocks > 0 {
            blocks -= 1
            guard let isLast = bits.take(1, from: bytes), let kind = bits.take(2, from: bytes) else { return .corrupt }
            let isSound: Bool
            switch kind {
            case 0: isSound = skipStored(bytes)
            case 1:
                useFixedTables()
                isSound = countSymbols(bytes)
            case 2: isSound = readTables(bytes) && countSymbols(bytes)
            default: isSound = false
            }
            if size > limit { return .exceedsBudget }
            guard isSound else { return .corrupt }
            if isLast == 1 { return .size(size) }
        }
        return .exceedsBudget
    }

    private mutating func skipStored(_ bytes: Span<UInt8>) -> Bool {
        bits.dropToByte()
        guard let length = bits.take(16, from: bytes), let complement = bits.take(16, from: bytes),
            length ^ complement == 0xFFFF, bits.skipBytes(length, in: bytes)
        else { return false }
        size += length
        return true
    }

    private mutating func useFixedTables() {
        var lengths = [UInt8](repeating: 8, count: 288)
        for symbol in 144..<256 { lengths[symbol] = 9 }
        for symbol in 256..<280 { lengths[symbol] = 7 }
        _ = literals.build(lengths[...])
        _ = distances.build([UInt8](repeating: 5, count: 30)[...])
    }

    /// Reads the two code tables of a dynamic block (RFC 1951, 3.2.7).
    private mutating func readTables(_ bytes: Span<UInt8>) -> Bool {
        guard let literalCount = bits.take(5, from: bytes).map({ $0 + 257 }), literalCount <= 286,
            let distanceCount = bits.take(5, from: bytes).map({ $0 + 1 }), distanceCount <= 30,
            let lengthCount = bits.take(4, from: bytes).map({ $0 + 4 })
        else { return false }
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<lengthCount {
            guard let length = bits.take(3, from: bytes) else { return false }
            codeLengths[Int(Self.codeLengthOrder[index])] = UInt8(length)
        }
        guard literals.build(codeLengths[...]) else { return false }

        let total = literalCount + distanceCount
        var lengths = [UInt8](repeating: 0, count: total)
        var index = 0
        while index < total {
            let symbol = literals.next(&bits, from: bytes)
            guard symbol >= 0 else { return false }
            if symbol < 16 {
                lengths[index] = UInt8(symbol)
                index += 1
                continue
            }
            let (width, least) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
            guard let more = bits.take(width, from: bytes), symbol != 16 || index > 0, index + least + more <= total
            else { return false }
            if symbol == 16 {
                let previous = lengths[index - 1]
                for offset in 0..<least + more { lengths[index + offset] = previous }
            }
            index += least + more
        }
        return literals.build(lengths[..<literalCount]) && distances.build(lengths[literalCount...])
    }

    /// Counts symbols to the end of the block, or just past the limit.
    private mutating func countSymbols(_ bytes: Span<UInt8>) -> Bool {
        let direct = literals.direct
        let table = direct.span
        // Tells the compiler that the masked index below is always inside.
        precondition(table.count == 1 << HuffmanTable.directBits)
        while size <= limit {
            // Most symbols are literals with short codes.
            let entry = Int(table[bits.peek15(from: bytes) & (1 << HuffmanTable.directBits - 1)])
            if entry != 0, entry < 256 << 4, entry & 15 <= bits.available {
                bits.drop(entry & 15)
                size += 1
                continue
            }
            let symbol = literals.next(&bits, from: bytes)
            if symbol < 256 {
                guard symbol >= 0 else { return false }
                size += 1
                continue
            }
            if symbol == 256 { return true }
            guard symbol <= 285,
                let extraLength = bits.take(Int(Self.lengthExtraBits[symbol - 257]), from: bytes)
            else { return false }
            let distanceSymbol = distances.next(&bits, from: bytes)
            guard distanceSymbol >= 0, distanceSymbol < 30,
                bits.take(max(0, distanceSymbol / 2 - 1), from: bytes) != nil
            else { return false }
            size += Int(Self.lengthBases[symbol - 257]) + extraLength
        }
        return true
    }

    private static let codeLengthOrder: [UInt8] = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]
    private static let lengthBases: [UInt16] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthExtraBits: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
}

/// Bits in deflate's order: the lowest bit of a byte comes first.
struct BitQueue {
    private var next = 0
    private var buffer: UInt64 = 0
    private(set) var available = 0

    mutating func refill(from bytes: Span<UInt8>) {
        if next <= bytes.count - 8 {
            // Takes as many whole bytes as fit; bits above `available` are overwritten with the same values later.
            buffer |= bytes.word64(at: next) << UInt64(available)
            next += (63 - available) >> 3
            available |= 56
            return
        }
        while available <= 56, next < bytes.count {
            buffer |= UInt64(bytes[next]) << UInt64(available)
            next += 1
            available += 8
        }
    }

    /// The next `width` bits (at most 16), or nil at the end.
    mutating func take(_ width: Int, from bytes: Span<UInt8>) -> Int? {
        if available < width { refill(from: bytes) }
        guard available >= width else { return nil }
        let value = Int(truncatingIfNeeded: buffer & ((1 << UInt64(width)) - 1))
        drop(width)
        return value
    }

    /// The next 15 bits, with zeros after the end.
    mutating func peek15(from bytes: Span<UInt8>) -> Int {
        if available < 15 { refill(from: bytes) }
        return Int(truncatingIfNeeded: buffer & 0x7FFF)
    }

    mutating func drop(_ width: Int) {
        buffer >>= UInt64(width)
        available -= width
    }

    mutating func dropToByte() { drop(available & 7) }

    /// Skips whole bytes after `dropToByte`; false when fewer are left.
    mutating func skipBytes(_ length: Int, in bytes: Span<UInt8>) -> Bool {
        let position = next - available / 8
        guard length <= bytes.count - position else { return false }
        next = position + length
        buffer = 0
        available = 0
        return true
    }
}

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
