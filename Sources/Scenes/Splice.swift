/// Puts blocks of metadata into encoded pictures byte by byte, so that a test decides what exactly is in a file.
public enum Splice {
    /// An APP1 segment with EXIF right after a JPEG's start marker.
    public static func exif(_ block: ExifBlock, intoJPEG file: [UInt8]) -> [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + block.bytes, intoJPEG: file)
    }

    /// An APP1 segment with XMP right after a JPEG's start marker.
    public static func xmp(_ text: String, intoJPEG file: [UInt8]) -> [UInt8] {
        segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(text.utf8), intoJPEG: file)
    }

    /// An eXIf chunk right after a PNG's header chunk.
    public static func exif(_ block: ExifBlock, intoPNG file: [UInt8]) -> [UInt8] {
        chunk("eXIf", block.bytes, intoPNG: file)
    }

    /// Any chunk right after a PNG's header chunk.
    public static func chunk(_ name: String, _ body: [UInt8], intoPNG file: [UInt8]) -> [UInt8] {
        let summed = Array(name.utf8) + body
        let chunk = bigEndian(body.count, 4) + summed + bigEndian(Int(crc32(summed)), 4)
        return Array(file[..<33]) + chunk + file[33...]
    }

    /// An EXIF chunk at the end of a WebP in place of the one that libvips writes, and the extended header's flag for it.
    public static func exif(
        _ block: ExifBlock, intoWebP file: [UInt8], width: Int, height: Int
    ) -> [UInt8] {
        var flags: UInt8 = 0x08
        var kept: [UInt8] = []
        var at = 12
        while at + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[at + 4 + $1]) << ($1 * 8) }
            let end = min(at + 8 + length + length % 2, file.count)
            switch String(decoding: file[at..<at + 4], as: UTF8.self) {
            case "VP8X": flags |= file[at + 8]
            case "EXIF": break
            default: kept += file[at..<end]
            }
            at = end
        }
        let bytes = block.bytes
        let header =
            Array("VP8X".utf8) + littleEndian(10, 4) + [flags, 0, 0, 0] + littleEndian(width - 1, 3)
            + littleEndian(height - 1, 3)
        let chunk =
            Array("EXIF".utf8) + littleEndian(bytes.count, 4) + bytes + [UInt8](repeating: 0, count: bytes.count % 2)
        let body = Array("WEBP".utf8) + header + kept + chunk
        return Array("RIFF".utf8) + littleEndian(body.count, 4) + body
    }

    private static func segment(_ marker: UInt8, _ body: [UInt8], intoJPEG file: [UInt8]) -> [UInt8] {
        Array(file[..<2]) + [0xFF, marker] + bigEndian(body.count + 2, 2) + body + file[2...]
    }

    /// PNG's checksum (ISO 3309), bit by bit: the blocks are small.
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
