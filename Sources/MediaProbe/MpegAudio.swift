internal import AttachmentRules

/// MP3 and AAC without a container: only a chain of frames tells them from chance.
enum MpegAudio {
    /// How far to look for the first frame behind junk.
    private static let mostJunk = 2_048

    static func type(of bytes: Span<UInt8>) -> MediaType? {
        if bytes.has("ID3", at: 0), let version = bytes.byte(at: 3), (2...4).contains(version),
            let length = tagLength(bytes)
        {
            return isAdts(bytes, at: 10 + length, frames: 1) ? .aac : .mp3
        }
        // At the start two frames are enough, and one when the file ends with it.
        if isAdts(bytes, at: 0, frames: 2) { return .aac }
        if isLayer(bytes, at: 0, frames: 2) { return .mp3 }
        for offset in 1..<mostJunk where bytes.byte(at: offset) == 0xFF {
            if isLayer(bytes, at: offset, frames: 4) { return .mp3 }
        }
        return nil
    }

    /// The ID3 tag's length: four bytes of seven bits.
    private static func tagLength(_ bytes: Span<UInt8>) -> Int? {
        var length = 0
        for offset in 6..<10 {
            guard let part = bytes.byte(at: offset), part < 0x80 else { return nil }
            length = length << 7 | Int(part)
        }
        return length
    }

    private static func isAdts(_ bytes: Span<UInt8>, at start: Int, frames: Int) -> Bool {
        var offset = start
        for frame in 0..<frames {
            if frame > 0, offset == bytes.count { return true }
            guard let sync = bytes.bigEndian16(at: offset), sync & 0xFFF6 == 0xFFF0,
                let rate = bytes.byte(at: offset + 2), rate >> 2 & 15 < 13,
                let length = bytes.bigEndian32(at: offset + 3).map({ $0 >> 13 & 0x1FFF }), length > 7
            else { return false }
            offset += length
        }
        return true
    }

    private static func isLayer(_ bytes: Span<UInt8>, at start: Int, frames: Int) -> Bool {
        var offset = start
        for frame in 0..<frames {
            if frame > 0, start == 0, offset == bytes.count { return true }
            guard let header = bytes.bigEndian32(at: offset), let length = frameLength(header) else { return false }
            offset += length
        }
        return true
    }

    /// Bytes of a frame of layer II or III (ISO/IEC 11172-3, 2.4.2.3), or nil when the header is none.
    private static func frameLength(_ header: Int) -> Int? {
        let version = header >> 19 & 3
        let layer = header >> 17 & 3
        let bitRateIndex = header >> 12 & 15
        let rateIndex = header >> 10 & 3
        guard header >> 21 == 0x7FF, version != 1, layer == 1 || layer == 2, (1...14).contains(bitRateIndex),
            rateIndex < 3
        else { return nil }
        let isVersion1 = version == 3
        let kilobits: [Int] =
            switch (isVersion1, layer) {
            case (true, 1): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
            case (true, _): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
            default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            }
        let rate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let samples = layer == 1 && !isVersion1 ? 72 : 144
        return samples * kilobits[bitRateIndex - 1] * 1_000 / rate + (header >> 9 & 1)
    }
}
