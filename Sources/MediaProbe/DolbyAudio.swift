internal import AttachmentRules

/// AC-3 and E-AC-3 without a container: two frames in a row, or one that is the file (ETSI TS 102 366).
enum DolbyAudio {
    static func type(of bytes: Span<UInt8>) -> MediaType? {
        guard let first = frame(bytes, at: 0) else { return nil }
        guard first.length != bytes.count else { return first.type }
        guard let second = frame(bytes, at: first.length), second.type == first.type else { return nil }
        return first.type
    }

    private static func frame(_ bytes: Span<UInt8>, at offset: Int) -> (type: MediaType, length: Int)? {
        guard bytes.bigEndian16(at: offset) == 0x0B77, let header = bytes.bigEndian32(at: offset + 2),
            let version = bytes.byte(at: offset + 5).map({ $0 >> 3 })
        else { return nil }
        if (11...16).contains(version) {
            // Words of 16 bits, less one, in 11 bits.
            return (.eac3, 2 * ((header >> 16 & 0x7FF) + 1))
        }
        let code = Int(header >> 8 & 0xFF)
        let (rate, size) = (code >> 6, code & 0x3F)
        guard version <= 10, rate < 3, size < 38 else { return nil }
        let kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640][
            size / 2]
        // 1,536 samples at this many bits a second, in words of 16 bits; at 44,100 Hz every other frame has one more.
        let words =
            switch rate {
            case 0: kilobits * 2
            case 1: kilobits * 1_000 * 1_536 / 44_100 / 16 + size % 2
            default: kilobits * 3
            }
        return (.ac3, 2 * words)
    }
}
