import AttachmentRules
import MediaProbe
import Testing

@Suite struct SignatureTests {
    /// Name, bytes, type.
    static let table: [(String, [UInt8], MediaType?)] = pictures + documents + films + sounds + unknown

    static let pictures: [(String, [UInt8], MediaType?)] = [
        ("JPEG", JpegBuilder.baseline, .jpeg), ("PNG", PngBuilder.rgb, .png), ("APNG", PngBuilder.animated, .apng),
        ("GIF87a", ascii("GIF87a"), .gif), ("GIF89a", GifBuilder.still, .gif), ("WebP", WebpBuilder.still, .webp),
        (
            "WebP that holds <svg", WebpBuilder.file(WebpBuilder.lossy(), WebpBuilder.chunk("XMP ", ascii("<svg>"))),
            .webp
        ),
        ("HEIC", HeifBuilder.heic, .heic), ("AVIF", HeifBuilder.avif, .avif),
        ("HEIF", brand("mif1", "miaf"), .heif), ("HEIC by its second brand", brand("mif1", "heic"), .heic),
        ("AVIF by its second brand", brand("mif1", "avif"), .avif),
        ("maker's brand, HEIC compatible", brand("abcd", "mif1", "heic"), .heic),
        ("HEIF of JPEG 2000", brand("j2ki"), .heif), ("HEIF of VVC", brand("vvic"), .heif),
        ("TIFF", TiffBuilder().bytes, .tiff), ("BigTIFF", TiffBuilder(isBig: true).bytes, .tiff),
        ("big-endian TIFF", TiffBuilder(isLittleEndian: false).bytes, .tiff),
        ("TIFF without a directory", ascii("II*\0") + little32(8), .tiff),
        ("TIFF with subdirectories", TiffBuilder(extra: [330: [16, 16]]).bytes, .tiff),
    ]

    static let documents: [(String, [UInt8], MediaType?)] = [
        ("DNG", TiffBuilder(extra: [50706: [1]]).bytes, .rawPhoto),
        ("colour filter array", TiffBuilder(extra: [262: [32_803]]).bytes, .rawPhoto),
        ("linear raw", TiffBuilder(isLittleEndian: false, extra: [262: [34_892]]).bytes, .rawPhoto),
        ("NEF compression", TiffBuilder(extra: [259: [34_713]]).bytes, .rawPhoto),
        ("raw in a subdirectory", rawInSubdirectory, .rawPhoto),
        ("CR2", ascii("II*\0") + little32(16) + ascii("CR") + [2, 0], .rawPhoto), ("CR3", brand("crx "), .rawPhoto),
        ("RAF", ascii("FUJIFILMCCD-RAW 0201"), .rawPhoto), ("ORF", ascii("IIRO") + little32(8), .rawPhoto),
        ("RW2", ascii("IIU\0") + little32(8), .rawPhoto),
        ("CRW", ascii("II") + little32(26) + ascii("HEAPCCDR"), .rawPhoto),
        ("SVG", ascii("<svg xmlns=\"http://www.w3.org/2000/svg\">"), .svg),
        (
            "SVG after everything",
            ascii("\u{FEFF}\n<?xml version=\"1.0\"?><!-- <html> -->\n<!DOCTYPE s [<!ENTITY x \">]\">]><svg>"), .svg
        ),
        ("SVG by document type", ascii("<!DOCTYPE svg PUBLIC \"x\"><x>"), .svg),
        ("SVG with a prefix", ascii("<svg:svg>"), .svg),
        ("SVG in UTF-16", [0xFF, 0xFE] + ascii("<?xml?><svg>").flatMap { [$0, 0] }, .svg),
        ("SVG in big-endian UTF-16 without a mark", ascii("<svg/>").flatMap { [0, $0] }, .svg),
        ("HTML", ascii("  <!DOCTYPE html><html>"), .html), ("HTML in capitals", ascii("<HTML><svg>"), .html),
        ("other XML", ascii("<?xml version=\"1.0\"?><rss></rss>"), nil), ("svgfoo", ascii("<svgfoo>"), nil),
        ("text that mentions <svg>", ascii("see <svg>"), nil),
        ("PDF", ascii("%PDF-1.4"), .pdf), ("PDF behind junk", ascii("junk\n%PDF-1.4"), .pdf),
        ("EPS", ascii("%!PS-Adobe-3.0 EPSF-3.0"), .postScript),
        ("DOS EPS", [0xC5, 0xD0, 0xD3, 0xC6, 30, 0], .postScript),
        ("BMP", ascii("BM") + .init(repeating: 0, count: 12) + little32(40), .bmp),
        ("BM alone", ascii("BM, hello world, 123"), nil),
        ("ICO", [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 1, 0, 0, 22, 0, 0, 0], .ico),
        ("CUR", [0, 0, 2, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 1, 0, 0, 22, 0, 0, 0], .ico),
        ("JP2", big32(12) + ascii("jP  \r\n") + [0x87, 0x0A], .jpeg2000),
        ("J2K", [0xFF, 0x4F, 0xFF, 0x51, 0], .jpeg2000),
        ("JXL box", big32(12) + ascii("JXL \r\n") + [0x87, 0x0A], .jpegXL), ("JXL", [0xFF, 0x0A, 1], .jpegXL),
        ("PSD", ascii("8BPS") + [0, 1], .psd), ("PSB", ascii("8BPS") + [0, 2], .psd),
        ("DICOM", .init(repeating: 0, count: 128) + ascii("DICM"), .dicom),
        ("EXR", [0x76, 0x2F, 0x31, 1, 2], .openEXR),
        ("FITS", ascii("SIMPLE  =                    T"), .fits), ("PPM", ascii("P6\n4 4\n255\n"), .netpbm),
        ("PAM", ascii("P7\nWIDTH 4"), .netpbm), ("PFM", ascii("Pf\n4 4"), .netpbm),
        ("P6 as a word", ascii("P6, then"), nil),
        ("libvips", [0xB6, 0xA6, 0xF2, 0x08], .vipsNative),
        ("libvips, other order", [0x08, 0xF2, 0xA6, 0xB6], .vipsNative),
        ("TGA", targa(kind: 2, depth: 24) + .init(repeating: 1, count: 48), .targa),
        ("TGA, too short", targa(kind: 2, depth: 24), nil),
        ("TGA by its footer", ascii("????????") + ascii("TRUEVISION-XFILE.\0"), .targa),
        ("ZIP", ascii("PK") + [3, 4], .zip), ("gzip", [0x1F, 0x8B, 8, 0], .gzip),
    ]

    static let films: [(String, [UInt8], MediaType?)] = [
        ("MP4", brand("isom", "mp41"), .mp4), ("MP4 of a maker", brand("abcd", "mp42"), .mp4),
        ("M4V", brand("M4V "), .m4v),
        ("3GP", brand("3gp4"), .threeGPP), ("3G2", brand("3g2a"), .threeGPP2), ("MOV", brand("qt  "), .quickTime),
        ("unknown brand", brand("abcd"), nil),
        ("MOV without a brand", HeifBuilder.box("moov", [0, 0, 0, 0, 0, 0, 0, 0, 0]), .quickTime),
        ("MOV, data first", HeifBuilder.box("mdat", [1, 2]) + HeifBuilder.box("moov", [1]), .quickTime),
        ("MOV, padding first", HeifBuilder.box("wide", []) + HeifBuilder.box("mdat", [1]), .quickTime),
        ("brand after padding", HeifBuilder.box("free", [1]) + brand("heic"), .heic),
        ("AVI", ascii("RIFF") + little32(4) + ascii("AVI "), .avi), ("MPEG PS", [0, 0, 1, 0xBA], .mpeg),
        ("MPEG ES", [0, 0, 1, 0xB3], .mpeg2Video),
        ("MPEG TS", packets(188), .mpegTransport), ("M2TS", [0, 0, 0, 0] + packets(192), .mpegTransport),
        ("WebM", [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + ascii("webm"), .webm),
        ("MKV", [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x88] + ascii("matroska"), .matroska),
        ("FLV", ascii("FLV") + [1, 5], .flashVideo), ("ASF", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .asf),
    ]

    static let sounds: [(String, [UInt8], MediaType?)] = [
        ("WAV", ascii("RIFF") + little32(4) + ascii("WAVE"), .wav),
        ("RF64", ascii("RF64") + little32(4) + ascii("WAVE"), .wav),
        ("AIFF", ascii("FORM") + big32(4) + ascii("AIFF"), .aiff),
        ("AIFC", ascii("FORM") + big32(4) + ascii("AIFC"), .aifc),
        ("MP3", mp3Frames(2), .mp3), ("MP3 behind junk", .init(repeating: 0x20, count: 700) + mp3Frames(4), .mp3),
        ("one frame behind junk", .init(repeating: 0x20, count: 700) + mp3Frames(1), nil),
        ("MP3 with ID3", ascii("ID3") + [3, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4], .mp3),
        ("AAC with ID3", ascii("ID3") + [3, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4] + adtsFrame, .aac),
        ("AAC", adtsFrame + adtsFrame, .aac), ("M4A", brand("M4A "), .m4a), ("CAF", ascii("caff") + [0, 1], .caf),
        ("OGG", ascii("OggS") + [0], .ogg), ("FLAC", ascii("fLaC"), .flac), ("AMR", ascii("#!AMR\n"), .amr),
        ("AMR wideband", ascii("#!AMR-WB\n"), .amr), ("AMR's name and more", ascii("#!AMRita"), nil),
        ("AU", ascii(".snd") + big32(24), .au), ("AC-3", ac3Frame + ac3Frame, .ac3),
        ("E-AC-3", eac3Frame + eac3Frame, .eac3), ("one frame of AC-3", ac3Frame, .ac3),
        ("a frame of AC-3 and something else", ac3Frame + [1, 2], nil),
        ("MIDI", ascii("MThd") + big32(6), .midi),
    ]

    static let unknown: [(String, [UInt8], MediaType?)] = [
        ("nothing", [], nil), ("one byte", [0xFF], nil), ("zeros", .init(repeating: 0, count: 5_000), nil),
        ("text", ascii("hello"), nil),
        ("ImageMagick's drawing language", ascii("push graphic-context\nviewbox 0 0 640 480"), nil),
        ("counting", (0..<1_024).map { UInt8(truncatingIfNeeded: $0) }, nil),
    ]

    static func brand(_ major: String, _ compatible: String...) -> [UInt8] {
        HeifBuilder.box("ftyp", ascii(major) + big32(0) + compatible.flatMap(ascii))
    }

    /// A thumbnail in front and the sensor's data in a subdirectory, as Nikon and Sony write it.
    static var rawInSubdirectory: [UInt8] {
        let front = TiffBuilder(extra: [330: [200]]).bytes
        let child = little16(1) + little16(262) + little16(4) + little32(1) + little32(32_803) + little32(0)
        return front + .init(repeating: 0, count: 200 - front.count) + child
    }

    static func packets(_ size: Int) -> [UInt8] {
        Array([[UInt8]](repeating: [0x47] + .init(repeating: 0x11, count: size - 1), count: 5).joined())
    }

    /// MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes.
    static func mp3Frames(_ count: Int) -> [UInt8] {
        Array([[UInt8]](repeating: [0xFF, 0xFB, 0x90, 0x00] + .init(repeating: 0, count: 413), count: count).joined())
    }

    static let adtsFrame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x7F, 0xFC, 1, 2, 3, 4]

    /// 32 kbit/s, 48 kHz: 128 bytes.
    static let ac3Frame: [UInt8] = [0x0B, 0x77, 0, 0, 0, 0x40] + .init(repeating: 0, count: 122)
    static let eac3Frame: [UInt8] = [0x0B, 0x77, 0, 0x3F, 0, 0x80] + .init(repeating: 0, count: 122)

    static func targa(kind: UInt8, depth: UInt8) -> [UInt8] {
        [0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, depth, 0x20]
    }

    @Test(arguments: table.indices) func identifies(_ index: Int) {
        let (name, bytes, type) = Self.table[index]
        let found = MediaProbe.identify(bytes.span)
        #expect(found == type, "\(name)")
    }

    /// Cutting a file may hide what it is, but never makes it something else to decode.
    @Test(arguments: wholeFiles.indices) func prefixesAreOfTheSameTypeOrNone(_ index: Int) {
        let file = wholeFiles[index]
        let whole = MediaProbe.identify(file.bytes.span)
        for length in file.bytes.indices {
            let prefix = Array(file.bytes.prefix(length))
            let type = MediaProbe.identify(prefix.span)
            let isExpected = type == nil || type == whole || (whole == .apng && type == .png)
            #expect(isExpected, "\(file.name) cut to \(length) is \(type?.rawValue ?? "-")")
        }
    }
}
