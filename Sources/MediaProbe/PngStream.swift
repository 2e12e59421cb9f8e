/// A PNG rebuilt from what its first picture's pixels depend on: header, palette, transparency, data, and one sound
/// colour profile.
///
/// libvips 8.14 takes no pixel's value from any other chunk: not from gAMA, cHRM or sRGB, not from sBIT or bKGD. But
/// behind an sRGB chunk its libpng takes no profile, so that the picture is sRGB whatever the profile says.
enum PngStream {
    static func rebuilt(_ bytes: Span<UInt8>) -> StreamBuilder {
        var builder = StreamBuilder()
        builder.keep(0..<min(PngStructure.signature.count, bytes.count))
        var offset = PngStructure.signature.count
        var hasPalette = false
        var hasData = false
        var hasTransparency = false
        var hasProfile = false
        var isSRGB = false
        while let length = bytes.bigEndian32(at: offset), let name = bytes.fourCC(at: offset + 4) {
            let chunk = offset..<offset + 12 + length
            guard chunk.upperBound <= bytes.count else { break }
            let body = offset + 8..<offset + 8 + length
            switch name {
            case "IHDR": builder.keep(chunk)
            case "PLTE":
                hasPalette = true
                builder.keep(chunk)
            case "IDAT":
                hasData = true
                builder.keep(chunk)
            case "tRNS" where !hasData && !hasTransparency && isSound(chunk, bytes):
                hasTransparency = true
                builder.keep(chunk)
            case "sRGB" where !hasPalette && !hasData && length == 1 && isSound(chunk, bytes): isSRGB = true
            case "iCCP" where !hasPalette && !hasData && !hasProfile && !isSRGB:
                // Where it may stand; libpng takes it from nowhere else, and the first only.
                hasProfile = true
                // The colour type's bit 2 says colour.
                let space: ColorProfile.Space = bytes.byte(at: 25).map { $0 & 2 } == 0 ? .gray : .rgb
                if isSound(chunk, bytes), let profile = PngProfile.inflated(bytes, body),
                    let sound = ColorProfile.sound(profile), sound.profile.space == space
                {
                    builder.write(PngProfile.chunk(sound.bytes), orKeepAt: offset, in: bytes)
                } else {
                    builder.ignoresProfile = true
                }
            case "IEND":
                builder.write(end, orKeepAt: offset, in: bytes)
                return builder
            default: break
            }
            offset = chunk.upperBound
        }
        return builder
    }

    /// IEND with its checksum.
    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    private static func isSound(_ chunk: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let sum = Crc32.checksum(bytes, chunk.lowerBound + 4..<chunk.upperBound - 4)
        return bytes.bigEndian32(at: chunk.upperBound - 4) == Int(sum)
    }
}
