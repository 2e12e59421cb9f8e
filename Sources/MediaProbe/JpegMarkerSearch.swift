/// The search that most of a JPEG's bytes go through.
extension Span<UInt8> {
    /// The offset of the next marker's 0xFF at or after `start`, or nil when none follows.
    ///
    /// Inside entropy data 0xFF00 is a stuffed byte and 0xFFD0 to 0xFFD7 are restarts, so neither ends a scan; of a
    /// run of 0xFF only the last one introduces a marker. Between segments the same bytes mean nothing to a decoder.
    /// Eight positions are tested at once, with the same cost whatever the bytes are: a file of nothing but 0xFF00
    /// must not take longer than a photo.
    public func nextJpegMarker(from start: Int) -> Int? {
        var offset = start
        while offset <= count - 9 {
            let candidates = Self.zeroBytes(~word64(at: offset))
            if candidates != 0 {
                let following = word64(at: offset &+ 1)
                if following == .max {
                    // Nothing but fill bytes.
                    offset &+= 8
                    continue
                }
                let excluded =
                    Self.zeroBytes(following) | Self.zeroBytes(~following)
                    | Self.zeroBytes(following & 0xF8F8_F8F8_F8F8_F8F8 ^ 0xD0D0_D0D0_D0D0_D0D0)
                let markers = candidates & ~excluded
                if markers != 0 { return offset &+ markers.trailingZeroBitCount / 8 }
            }
            offset &+= 8
        }
        while offset < count - 1 {
            if self[offset] == 0xFF {
                let code = self[offset + 1]
                if code != 0, code != 0xFF, code & 0xF8 != 0xD0 { return offset }
            }
            offset += 1
        }
        return nil
    }

    /// The high bit of every byte that is zero, exactly (no borrow runs into the next byte).
    private static func zeroBytes(_ word: UInt64) -> UInt64 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        return ~((word & low &+ low) | word | low)
    }
}
