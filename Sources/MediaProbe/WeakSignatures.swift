internal import AttachmentRules

/// Types with no magic number worth the name: each needs several fields that agree.
enum WeakSignatures {
    static func type(of bytes: Span<UInt8>) -> MediaType? {
        if isBitmap(bytes) { return .bmp }
        if isIcon(bytes) { return .ico }
        if isNetpbm(bytes) { return .netpbm }
        if isTransportStream(bytes) { return .mpegTransport }
        if let type = MpegAudio.type(of: bytes) ?? DolbyAudio.type(of: bytes) { return type }
        if isTarga(bytes) { return .targa }
        return isLatePdf(bytes) ? .pdf : nil
    }

    /// "BM" and a header size that exists.
    private static func isBitmap(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.has("BM", at: 0), let size = bytes.littleEndian32(at: 14) else { return false }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(size)
    }

    /// A count of 1 to 255 icons or cursors, and a first entry that points behind the directory.
    private static func isIcon(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.has([0, 0, 1, 0], at: 0) || bytes.has([0, 0, 2, 0], at: 0),
            let count = bytes.littleEndian16(at: 4), (1...255).contains(count), bytes.byte(at: 9) == 0,
            let offset = bytes.littleEndian32(at: 18)
        else { return false }
        return offset >= 6 + 16 * count
    }

    /// "P1" to "P7", "Pf" or "PF", white space, then a number, a comment or a keyword.
    private static func isNetpbm(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.byte(at: 0) == UInt8(ascii: "P"), let kind = bytes.byte(at: 1),
            (0x31...0x37).contains(kind) || kind == UInt8(ascii: "f") || kind == UInt8(ascii: "F"),
            let space = bytes.byte(at: 2), [0x20, 0x09, 0x0A, 0x0D].contains(space), let next = bytes.byte(at: 3)
        else { return false }
        if kind == 0x37 { return bytes.has("WIDTH", at: 3) || next == UInt8(ascii: "#") }
        return (0x30...0x39).contains(next) || next == UInt8(ascii: "#")
    }

    /// Sync bytes every 188 bytes, or every 192 after a time stamp of 4.
    private static func isTransportStream(_ bytes: Span<UInt8>) -> Bool {
        for (start, packet) in [(0, 188), (4, 192)] {
            let starts = stride(from: start, to: min(bytes.count, start + 5 * packet), by: packet)
            let packets = starts.reduce(0) { $0 + (bytes.byte(at: $1) == 0x47 ? 1 : 0) }
            if packets == 5 || (packets >= 2 && packets * packet >= bytes.count) { return true }
        }
        return false
    }

    /// The footer of version 2, or a header whose fields all agree and whose pixels fit the file.
    private static func isTarga(_ bytes: Span<UInt8>) -> Bool {
        if bytes.has("TRUEVISION-XFILE.\0", at: bytes.count - 18) { return true }
        guard bytes.count > 18, let mapLength = bytes.littleEndian16(at: 5), let width = bytes.littleEndian16(at: 12),
            let height = bytes.littleEndian16(at: 14), width > 0, height > 0
        else { return false }
        let mapType = bytes[1]
        let kind = bytes[2]
        let depth = bytes[16]
        let hasMap = kind == 1 || kind == 9
        guard [1, 2, 3, 9, 10, 11].contains(kind), mapType == (hasMap ? 1 : 0), bytes[17] & 0xC0 == 0 else {
            return false
        }
        let mapDepth = bytes[7]
        let mapFits = hasMap ? mapLength > 0 && [15, 16, 24, 32].contains(mapDepth) : mapLength == 0 && mapDepth == 0
        let depths: [UInt8] = hasMap ? [8, 16] : kind == 3 || kind == 11 ? [8, 16] : [15, 16, 24, 32]
        guard mapFits, depths.contains(depth) else { return false }
        let header = 18 + Int(bytes[0]) + mapLength * ((Int(mapDepth) + 7) / 8)
        let pixels = width * height * ((Int(depth) + 7) / 8)
        return kind >= 9 ? header < bytes.count : header + pixels <= bytes.count
    }

    /// Readers of PDF accept junk of up to a kilobyte before the header.
    private static func isLatePdf(_ bytes: Span<UInt8>) -> Bool {
        (1..<1_024).contains { bytes.has("%PDF-", at: $0) }
    }
}
