/// How a coded HEIF item stores its samples, from its decoder configuration.
struct HeifCoding {
    var bits = 8
    /// Samples of U and V together for two pixels: 0 grey, 1 for 4:2:0, 2 for 4:2:2, 4 for 4:4:4.
    var halvesOfChroma = 4

    /// From an `hvcC` property (ISO/IEC 14496-15, 8.3.3.1).
    init?(hevcConfiguration body: Range<Int>, _ bytes: Span<UInt8>) {
        guard body.count >= 23 else { return nil }
        let chroma = bytes[body.lowerBound + 16] & 3
        halvesOfChroma = [0, 1, 2, 4][Int(chroma)]
        bits = Int(bytes[body.lowerBound + 17] & 7) + 8
    }

    /// From an `av1C` property (AV1 codec ISO media file format binding, 2.3).
    init?(av1Configuration body: Range<Int>, _ bytes: Span<UInt8>) {
        guard body.count >= 4 else { return nil }
        let flags = bytes[body.lowerBound + 2]
        bits = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        switch (flags & 0x10 != 0, flags & 0x08 != 0, flags & 0x04 != 0) {
        case (true, _, _): halvesOfChroma = 0
        case (_, true, true): halvesOfChroma = 1
        case (_, true, false): halvesOfChroma = 2
        default: halvesOfChroma = 4
        }
    }
}
