/// What all compressed texts and profiles of one file may still inflate to.
struct InflateBudget {
    /// Bytes left.
    var bytes: Int
    /// Deflate blocks left: one for every 2 KiB of 4 MiB. Each may bring its own Huffman tables, and building
    /// those is what a stream of empty blocks would cost.
    var blocks = 2_048
}

/// Counts what a zlib stream inflates to, and inflates it only where that is asked for.
///
/// To count, the Huffman symbols are decoded; there is no window and no output, so a stream that claims 200 MB costs a
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
    /// What was inflated so far; stays empty when it is only counted.
    private var output: [UInt8] = []
    private let collects: Bool

    /// The outcome for the zlib stream (RFC 1950) in `range`, which must lie inside `bytes`; what it took is taken
    /// from the budget even when the stream turns out to be corrupt.
    static func outcome(of bytes: Span<UInt8>, in range: Range<Int>, budget: inout InflateBudget) -> Outcome {
        run(bytes, range, &budget, collects: false).outcome
    }

    /// What the zlib stream in `range` inflates to, when it is whole, inside the budget, and its checksum is right.
    static func inflated(_ bytes: Span<UInt8>, in range: Range<Int>, budget: inout InflateBudget) -> [UInt8]? {
        let (outcome, counter) = run(bytes, range, &budget, collects: true)
        guard let counter, outcome == .size(counter.output.count) else { return nil }
        let place = range.lowerBound + 2 + counter.bits.position
        guard place <= range.upperBound - 4, bytes.bigEndian32(at: place) == Int(Adler32.checksum(counter.output))
        else { return nil }
        return counter.output
    }

    private static func run(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ budget: inout InflateBudget, collects: Bool
    ) -> (outcome: Outcome, counter: InflateCounter?) {
        guard range.count >= 2, let header = bytes.bigEndian16(at: range.lowerBound) else { return (.corrupt, nil) }
        let isDeflate = header >> 8 & 0x0F == 8
        let hasDictionary = header & 0x20 != 0
        guard isDeflate, !hasDictionary, header % 31 == 0 else { return (.corrupt, nil) }
        let body = bytes.extracting(range.lowerBound + 2..<range.upperBound)
        var counter = InflateCounter(limit: budget.bytes, collects: collects)
        let outcome = counter.countBlocks(body, &budget.blocks)
        budget.bytes -= counter.size
        return (outcome, counter)
    }

    private init(limit: Int, collects: Bool) {
        self.limit = limit
        self.collects = collects
    }

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
        if collects, size <= limit { output += bytes.array(bits.position - length..<bits.position) }
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
                if collects { output.append(UInt8(truncatingIfNeeded: entry >> 4)) }
                continue
            }
            let symbol = literals.next(&bits, from: bytes)
            if symbol < 256 {
                guard symbol >= 0 else { return false }
                size += 1
                if collects { output.append(UInt8(truncatingIfNeeded: symbol)) }
                continue
            }
            if symbol == 256 { return true }
            guard symbol <= 285,
                let extraLength = bits.take(Int(Self.lengthExtraBits[symbol - 257]), from: bytes)
            else { return false }
            let distanceSymbol = distances.next(&bits, from: bytes)
            let distanceWidth = max(0, distanceSymbol / 2 - 1)
            guard distanceSymbol >= 0, distanceSymbol < 30, let extraDistance = bits.take(distanceWidth, from: bytes)
            else { return false }
            // Up to symbol 3 the distances are 1 to 4; then each pair of symbols covers twice as many.
            let base = distanceWidth == 0 ? distanceSymbol : (2 + distanceSymbol & 1) << distanceWidth
            let length = Int(Self.lengthBases[symbol - 257]) + extraLength
            guard base + extraDistance < size else { return false }
            size += length
            if collects, size <= limit { repeatOutput(from: output.count - 1 - base - extraDistance, length) }
        }
        return true
    }

    /// Appends bytes that were inflated before; the last of them may be among those that are appended.
    private mutating func repeatOutput(from start: Int, _ length: Int) {
        for index in start..<start + length { output.append(output[index]) }
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
