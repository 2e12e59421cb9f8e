internal import AttachmentRules

/// Types that fixed bytes at a fixed place give away.
enum Signatures {
    private struct Signature {
        let type: MediaType
        let offset: Int
        let bytes: [UInt8]

        init(_ type: MediaType, at offset: Int = 0, _ bytes: [UInt8]) {
            self.type = type
            self.offset = offset
            self.bytes = bytes
        }

        init(_ type: MediaType, at offset: Int = 0, _ text: StaticString) {
            self.init(type, at: offset, (0..<text.utf8CodeUnitCount).map { text.utf8Start[$0] })
        }
    }

    private static let table: [Signature] = [
        Signature(.jpeg, [0xFF, 0xD8, 0xFF]),
        Signature(.png, PngStructure.signature),
        Signature(.gif, "GIF87a"),
        Signature(.gif, "GIF89a"),
        Signature(.jpeg2000, [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        Signature(.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51]),
        Signature(.jpegXL, [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        Signature(.jpegXL, [0xFF, 0x0A]),
        Signature(.psd, [0x38, 0x42, 0x50, 0x53, 0, 1]),
        Signature(.psd, [0x38, 0x42, 0x50, 0x53, 0, 2]),
        Signature(.rawPhoto, "FUJIFILMCCD-RAW"),
        Signature(.rawPhoto, at: 6, "HEAPCCDR"),
        Signature(.rawPhoto, "FOVb"),
        Signature(.rawPhoto, "\0MRM"),
        // Olympus and Panasonic: TIFF's byte order with a magic number of their own.
        Signature(.rawPhoto, "IIRO"),
        Signature(.rawPhoto, "IIRS"),
        Signature(.rawPhoto, "MMOR"),
        Signature(.rawPhoto, "IIU\0"),
        Signature(.pdf, "%PDF-"),
        Signature(.postScript, "%!PS"),
        Signature(.postScript, [0xC5, 0xD0, 0xD3, 0xC6]),
        Signature(.openEXR, [0x76, 0x2F, 0x31, 0x01]),
        Signature(.fits, "SIMPLE  ="),
        Signature(.vipsNative, [0xB6, 0xA6, 0xF2, 0x08]),
        Signature(.vipsNative, [0x08, 0xF2, 0xA6, 0xB6]),
        Signature(.zip, [0x50, 0x4B, 3, 4]),
        Signature(.zip, [0x50, 0x4B, 5, 6]),
        Signature(.zip, [0x50, 0x4B, 7, 8]),
        Signature(.gzip, [0x1F, 0x8B, 8]),
        Signature(.flac, "fLaC"),
        Signature(.ogg, "OggS\0"),
        Signature(.caf, [0x63, 0x61, 0x66, 0x66, 0, 1]),
        Signature(.midi, [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6]),
        Signature(.amr, "#!AMR\n"),
        Signature(.amr, "#!AMR-WB\n"),
        Signature(.au, ".snd"),
        Signature(.flashVideo, [0x46, 0x4C, 0x56, 1]),
        Signature(.asf, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
        Signature(.mpeg, [0, 0, 1, 0xBA]),
        Signature(.mpeg2Video, [0, 0, 1, 0xB3]),
        Signature(.dicom, at: 128, "DICM"),
    ]

    /// The type by content: fixed bytes first, then containers, text, and last what has only weak marks.
    static func type(of bytes: Span<UInt8>) -> MediaType? {
        if let match = table.first(where: { bytes.has($0.bytes, at: $0.offset) }) {
            guard match.type == .png else { return match.type }
            return PngStructure.isAnimated(bytes) ? .apng : .png
        }
        return riff(bytes) ?? iff(bytes) ?? matroska(bytes) ?? tiff(bytes) ?? IsoBrands.type(of: bytes)
            ?? MarkupSignature.type(of: bytes) ?? WeakSignatures.type(of: bytes)
    }

    private static func riff(_ bytes: Span<UInt8>) -> MediaType? {
        guard bytes.has("RIFF", at: 0) || bytes.has("RF64", at: 0) || bytes.has("BW64", at: 0) else { return nil }
        if bytes.has("WEBP", at: 8) { return .webp }
        if bytes.has("AVI ", at: 8) { return .avi }
        if bytes.has("WAVE", at: 8) { return .wav }
        return nil
    }

    private static func iff(_ bytes: Span<UInt8>) -> MediaType? {
        guard bytes.has("FORM", at: 0) else { return nil }
        return bytes.has("AIFF", at: 8) ? .aiff : bytes.has("AIFC", at: 8) ? .aifc : nil
    }

    /// EBML: the document type (element 4282) follows within the first bytes.
    private static func matroska(_ bytes: Span<UInt8>) -> MediaType? {
        guard bytes.has([0x1A, 0x45, 0xDF, 0xA3], at: 0) else { return nil }
        for offset in 4..<64 where bytes.has([0x42, 0x82], at: offset) {
            if bytes.has("webm", at: offset + 3) { return .webm }
        }
        return .matroska
    }

    private static func tiff(_ bytes: Span<UInt8>) -> MediaType? {
        guard let layout = TiffLayout(bytes) else { return nil }
        return TiffRaw.isRaw(layout, bytes) ? .rawPhoto : .tiff
    }
}
