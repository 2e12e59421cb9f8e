/// A zlib stream that inflates to zeros, 1,032 times as many as it has bytes.
///
/// One block, with codes that give one bit to the longest match and one to the nearest distance: two zero bits stand for
/// 258 bytes, so nearly all of the stream is zeros itself and costs nothing to make.
struct ZeroStream {
    /// What comes before the zeros, how many zero bytes follow, and what ends the stream.
    let head: [UInt8]
    let zeros: Int
    let tail: [UInt8]

    var bytes: [UInt8] { head + [UInt8](repeating: 0, count: zeros) + tail }

    /// - Parameter count: of bytes that it inflates to.
    init(_ count: Int) {
        var bits = BitWriter()
        bits.add(0x78, 8)
        bits.add(0xDA, 8)
        // The last block, with its own codes: 286 of literals and lengths, 1 of distances, 18 of code lengths.
        bits.add(1, 1)
        bits.add(2, 2)
        bits.add(29, 5)
        bits.add(0, 5)
        bits.add(14, 4)
        // In the order of RFC 1951, 3.2.7: 18 has one bit, 1 and 2 have two.
        for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.add(length, 3) }
        func lengthOne() { bits.addCode("10") }
        func lengthTwo() { bits.addCode("11") }
        func unused(_ count: Int) {
            bits.addCode("0")
            bits.add(count - 11, 7)
        }
        // The literal 0 and the end of the block have two bits, the length 258 and the distance 1 have one.
        lengthTwo()
        unused(138)
        unused(117)
        lengthTwo()
        unused(28)
        lengthOne()
        lengthOne()

        bits.addCode("10")
        let matches = (count - 1) / 258
        let literals = (count - 1) % 258
        // Up to the next whole byte, then whole bytes, then what is left.
        var pending = 2 * matches
        let first = min(pending, (8 - bits.usedBits) % 8)
        bits.add(0, first)
        pending -= first
        head = bits.wholeBytes()
        zeros = pending / 8
        bits.add(0, pending % 8)
        for _ in 0..<literals { bits.addCode("10") }
        bits.addCode("11")
        bits.pad()
        // Adler-32 of zeros.
        let sum = UInt32(count % 65_521) << 16 | 1
        tail = bits.wholeBytes() + sum.bigEndianBytes
    }
}

/// Bits in deflate's and VP8L's order: the lowest bit of a byte comes first.
struct BitWriter {
    private var bytes: [UInt8] = []
    /// Bits that are used in the byte that is not whole yet.
    private(set) var usedBits = 0
    private var current = 0

    mutating func add(_ value: Int, _ width: Int) {
        for bit in 0..<width {
            current |= (value >> bit & 1) << usedBits
            usedBits += 1
            if usedBits == 8 { pad() }
        }
    }

    /// A prefix code, whose first bit comes first.
    mutating func addCode(_ code: String) {
        for character in code { add(character == "1" ? 1 : 0, 1) }
    }

    mutating func pad() {
        if usedBits > 0 { bytes.append(UInt8(current)) }
        (current, usedBits) = (0, 0)
    }

    /// Takes out the bytes that are whole.
    mutating func wholeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
