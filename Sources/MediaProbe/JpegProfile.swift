/// The ICC profile of a JPEG, which lies in one or more APP2 segments (ICC.1:2022, B.4).
struct JpegProfile {
    /// Most profile bytes of one segment.
    private static let chunkBytes = 65_519

    private struct Chunk {
        let number: UInt8
        let count: UInt8
        let start: Int
        let data: Range<Int>
    }

    private var chunks: [Chunk] = []

    var isThere: Bool { !chunks.isEmpty }

    /// Where its first segment stands.
    var place: Int? { chunks.first?.start }

    /// Adds an APP2 segment if it carries a part of a profile.
    mutating func add(_ segment: JpegStream.Segment, _ bytes: Span<UInt8>) {
        let body = segment.body
        guard body.count >= 14, bytes.has("ICC_PROFILE\0", at: body.lowerBound) else { return }
        chunks.append(
            Chunk(
                number: bytes[body.lowerBound + 12], count: bytes[body.lowerBound + 13], start: segment.start,
                data: body.lowerBound + 14..<body.upperBound))
    }

    /// The profile as new segments in order, each with the place where the file may have the same one; nil when parts
    /// are missing or come twice, or when the profile is not sound or for other pictures.
    ///
    /// - Parameter components: of the frame.
    func checked(_ bytes: Span<UInt8>, for components: Int) -> [(segment: [UInt8], place: Int)]? {
        let sorted = chunks.sorted { $0.number < $1.number }
        guard sorted.indices.allSatisfy({ Int(sorted[$0].number) == $0 + 1 && Int(sorted[$0].count) == sorted.count }),
            sorted.reduce(0, { $0 + $1.data.count }) <= ColorProfile.mostBytes
        else { return nil }
        var profile: [UInt8] = []
        for chunk in sorted { profile += bytes.array(chunk.data) }
        let space: ColorProfile.Space = components == 1 ? .gray : components == 4 ? .cmyk : .rgb
        guard let sound = ColorProfile.sound(profile), sound.profile.space == space else { return nil }
        let count = sound.bytes.count.dividedRoundingUp(by: Self.chunkBytes)
        return (0..<count).map { index in
            let start = index * Self.chunkBytes
            let part = sound.bytes[start..<min(start + Self.chunkBytes, sound.bytes.count)]
            let length = part.count + 16
            let header = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("ICC_PROFILE\0".utf8)
            return (header + [UInt8(index + 1), UInt8(count)] + part, sorted[min(index, sorted.count - 1)].start)
        }
    }
}
