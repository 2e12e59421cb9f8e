/// A WebP rebuilt from the chunks that a decoder needs: libvips would give an EXIF chunk to its own EXIF parser.
enum WebpStream {
    static func rebuilt(_ bytes: Span<UInt8>) -> StreamBuilder {
        guard let size = bytes.littleEndian32(at: 4) else { return StreamBuilder(of: bytes, without: []) }
        let end = min(8 + size, bytes.count)
        var kept: [Range<Int>] = []
        var offset = 12
        while let name = bytes.fourCC(at: offset), let length = bytes.littleEndian32(at: offset + 4), offset < end {
            let next = offset + 8 + length
            guard next <= end else { break }
            switch name {
            case "VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L": kept.append(offset..<next)
            default: break
            }
            offset = next + length & 1
        }
        let total = kept.reduce(4) { $0 + $1.count + $1.count & 1 }
        var builder = StreamBuilder()
        builder.keep(0..<4)
        builder.write((0..<4).map { UInt8(truncatingIfNeeded: total >> (8 * $0)) }, orKeepAt: 4, in: bytes)
        builder.keep(8..<min(12, bytes.count))
        for chunk in kept {
            if bytes.has("VP8X", at: chunk.lowerBound), chunk.count > 8 {
                // The flags of EXIF and XMP.
                let flags = bytes[chunk.lowerBound + 8] & ~0x0C
                builder.keep(chunk.lowerBound..<chunk.lowerBound + 8)
                builder.write([flags], orKeepAt: chunk.lowerBound + 8, in: bytes)
                builder.keep(chunk.lowerBound + 9..<chunk.upperBound)
            } else {
                builder.keep(chunk)
            }
            if !chunk.count.isMultiple(of: 2) { builder.write([0], orKeepAt: chunk.upperBound, in: bytes) }
        }
        return builder
    }
}
