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

    /// The offset of the first byte of which no bit is taken yet.
    var position: Int { next - available / 8 }

    /// Skips whole bytes after `dropToByte`; false when fewer are left.
    mutating func skipBytes(_ length: Int, in bytes: Span<UInt8>) -> Bool {
        let position = position
        guard length <= bytes.count - position else { return false }
        next = position + length
        buffer = 0
        available = 0
        return true
    }
}
