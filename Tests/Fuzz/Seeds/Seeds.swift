internal import JobProtocol
internal import Scenes

/// The seeds by target and name.
enum Seeds {
    typealias Named = KeyValuePairs<String, [UInt8]>

    static func all() throws -> KeyValuePairs<String, Named> {
        [
            "identify": identify, "jpeg": try jpeg(), "png": try png(), "gif": try gif(), "webp": try webp(),
            "heif": heif, "tiff": try tiff(),
            "exif": ["phone": ExifBlock(orientation: 6, hasCamera: true, hasGPS: true).bytes],
            "rendition": try rendition(), "reply": try Replies.seeds(),
        ]
    }

    private static func scene(_ format: SceneFile.Format, _ change: (inout SceneFile) -> Void = { _ in }) throws
        -> [UInt8]
    {
        var file = SceneFile(format)
        change(&file)
        return try Scene(width: 16, height: 16, detail: 2).file(file)
    }

    /// One file for each way in which a type is found: fixed bytes, containers, text, weak marks.
    private static let identify: Named = [
        "jpeg": JpegBuilder.baseline, "apng": PngBuilder.animated, "gif": GifBuilder.still, "webp": WebpBuilder.still,
        "heic": HeifBuilder.heic, "avif": HeifBuilder.avif, "tiff": TiffBuilder().bytes,
        "tiff-big": TiffBuilder(isBig: true).bytes, "dng": TiffBuilder(extra: [50_706: [1]]).bytes,
        "film": HeifBuilder.box("ftyp", ascii("isom") + big32(512) + ascii("isommp42")),
        "svg": ascii("<?xml version=\"1.0\"?>\n<!-- a -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        "html": ascii("<!DOCTYPE html>\n<html><body></body></html>"),
        "text": [0xEF, 0xBB, 0xBF] + ascii("Buy milk.\n"), "netpbm": ascii("P6\n# a\n1 1\n255\nabc"),
        "webm": [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + ascii("webm"),
        "mp3": [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413) + [0xFF, 0xFB, 0x90, 0x64],
        "mp3-tagged": ascii("ID3") + [4, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10) + [
            0xFF, 0xFB, 0x90, 0x64,
        ],
        "aac": [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x3F, 0xFC, 0, 0, 0xFF, 0xF1, 0x50, 0x80, 0x01, 0x3F, 0xFC, 0, 0],
        "bitmap": ascii("BM") + little32(58) + little32(0) + little32(54) + little32(40) + little32(1) + little32(1)
            + little16(1) + little16(24) + [UInt8](repeating: 0, count: 28),
        "targa": [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3],
        "icon": [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 24, 0] + little32(48) + little32(22),
        "wav": ascii("RIFF") + little32(36) + ascii("WAVEfmt "), "aiff": ascii("FORM") + big32(4) + ascii("AIFF"),
        "wav-data": ascii("RIFF") + little32(20) + ascii("WAVEdata") + little32(8) + [1, 2, 3, 4, 5, 6, 7, 8],
        "caf": ascii("caff") + [0, 1, 0, 0] + ascii("data") + big32(0) + big32(2) + [1, 2],
        "au": ascii(".snd") + big32(12) + big32(2) + [1, 2],
        "ac3": [0x0B, 0x77, 0, 0, 0, 0x40] + [UInt8](repeating: 0, count: 122),
        "program-stream": [0, 0, 1, 0xBA, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8, 0, 0, 1, 0xE0, 0, 1, 7, 0, 0, 1, 0xB9],
        "film-whole": big32(16) + ascii("ftypisom") + big32(0) + big32(10) + ascii("mdat") + [1, 2],
    ]

    private static func jpeg() throws -> Named {
        [
            "scene": try scene(.jpeg(quality: 50)),
            "scene-progressive": try scene(.jpeg(quality: 50, progressive: true)),
            "scene-gray": try scene(.jpeg(quality: 50)) { $0.colors = .gray },
            "scene-exif": try scene(.jpeg(quality: 20)) {
                ($0.orientation, $0.hasCamera, $0.hasGPS) = (6, true, true)
            },
            "baseline": JpegBuilder.baseline, "progressive": JpegBuilder.progressive,
            "stray": JpegBuilder.file(
                JpegBuilder.jfif, [1, 2, 3], JpegBuilder.exif(), [0xFF, 0xFF, 0, 7, 0xFF], JpegBuilder.quantization,
                JpegBuilder.frame(), JpegBuilder.huffman, JpegBuilder.scan()),
            "cmyk": JpegBuilder.file(
                JpegBuilder.adobe(transform: 2), JpegBuilder.quantization,
                JpegBuilder.frame(components: [(1, 0x11), (2, 0x11), (3, 0x11), (4, 0x11)]), JpegBuilder.huffman,
                JpegBuilder.scan([1, 2, 3, 4])),
            "trailing": JpegBuilder.baseline + JpegBuilder.baseline,
        ]
    }

    private static func png() throws -> Named {
        [
            "scene": try scene(.png()),
            "scene-alpha-exif": try scene(.png()) {
                ($0.hasAlpha, $0.hasGPS) = (true, true)
            },
            "scene-palette": try scene(.png(bits: 4, palette: true)),
            "scene-interlaced": try scene(.png(bits: 16, interlaced: true)) { $0.colors = .gray16 },
            "rgb": PngBuilder.rgb, "palette": PngBuilder.palette, "animated": PngBuilder.animated,
            "metadata": PngBuilder.file(
                PngBuilder.header(),
                PngBuilder.chunk("iCCP", ascii("p\0\0") + PngBuilder.stored(ascii("no profile"))),
                PngBuilder.chunk("zTXt", ascii("k\0\0") + PngBuilder.stored(ascii("text"))),
                PngBuilder.chunk("iTXt", ascii("k\0\u{1}\0en\0k\0") + PngBuilder.stored(ascii("text"))),
                PngBuilder.chunk("tEXt", ascii("k\0text")), PngBuilder.data),
        ]
    }

    private static func gif() throws -> Named {
        [
            "scene": try scene(.gif), "scene-animated": try Scene(width: 8, height: 8, detail: 1).frames(3, as: .gif),
            "still": GifBuilder.still, "animated": GifBuilder.animated,
            "interlaced": GifBuilder.file(
                GifBuilder.screen(), [0x21, 0xFE, 2, 0x68, 0x69, 0], GifBuilder.frame(flags: 0x40)),
        ]
    }

    private static func webp() throws -> Named {
        [
            "scene": try scene(.webp(quality: 50)), "scene-lossless": try scene(.webp(lossless: true)),
            "scene-alpha-exif": try scene(.webp(quality: 50)) { ($0.hasAlpha, $0.hasGPS) = (true, true) },
            "scene-animated": try Scene(width: 16, height: 16, detail: 1).frames(2, as: .webp(quality: 50)),
            "still": WebpBuilder.still, "exif": WebpBuilder.withExif, "animated": WebpBuilder.animated,
        ]
    }

    /// No encoder's output: its parameter sets are larger than the structure that is read.
    private static var heif: Named {
        var grid = HeifBuilder()
        grid.primary = 3
        grid.items = [
            HeifBuilder.Item(identifier: 1, isHidden: true), HeifBuilder.Item(identifier: 2, isHidden: true),
            HeifBuilder.Item(
                identifier: 3, type: "grid", data: HeifBuilder.grid(rows: 1, columns: 2, width: 128, height: 48),
                properties: [3]),
        ]
        grid.properties.append(HeifBuilder.size(128, 48))
        grid.references = [("dimg", 3, [1, 2])]
        var described = HeifBuilder()
        described.items += [
            HeifBuilder.Item(identifier: 2, properties: [1, 2, 3]),
            HeifBuilder.Item(
                identifier: 3, type: "Exif", data: big32(6) + ascii("Exif\0\0") + JpegBuilder.exifBody, properties: []),
        ]
        described.items[0].properties = [1, 2, 4]
        described.properties += [HeifBuilder.alpha, HeifBuilder.crop([32, 1, 24, 1, 0, 1, 0, 1])]
        described.references = [("auxl", 2, [1]), ("cdsc", 3, [1])]
        var derived = HeifBuilder()
        derived.primary = 2
        derived.items.append(HeifBuilder.Item(identifier: 2, type: "iden", data: [], properties: [1]))
        derived.references = [("dimg", 2, [1]), ("thmb", 1, [2])]
        return [
            "heic": HeifBuilder.heic, "avif": HeifBuilder.avif, "grid": grid.bytes, "described": described.bytes,
            "derived": derived.bytes,
        ]
    }

    private static func tiff() throws -> Named {
        var planar = TiffBuilder(samples: 3)
        planar.extra = [284: [2], 273: [8, 8, 8], 279: [12, 12, 12]]
        var tiled = TiffBuilder(isLittleEndian: false)
        tiled.omitted = [273, 278, 279]
        tiled.extra = [322: [16], 323: [16], 324: [8], 325: [64]]
        return [
            "scene": try scene(.tiff), "strip": TiffBuilder().bytes,
            "big-endian": TiffBuilder(isLittleEndian: false).bytes,
            "big": TiffBuilder(isBig: true, samples: 3).bytes, "planar": planar.bytes, "tiled": tiled.bytes,
            "loop": TiffBuilder(next: TiffBuilder.directoryOffset).bytes,
            "deep": TiffBuilder(samples: 4, bits: 16, extra: [339: [1, 1, 1, 1]]).bytes,
        ]
    }

    private static func rendition() throws -> Named {
        [
            "baseline": JpegBuilder.rendition,
            "progressive": try scene(.jpeg(quality: 50, progressive: true)),
            "restarts": JpegBuilder.file(
                JpegBuilder.quantization, JpegBuilder.frame(), JpegBuilder.huffman,
                JpegBuilder.segment(0xDD, [0, 1]),
                JpegBuilder.scan(data: [0x5A, 0x5A, 0xFF, 0xD0, 0x5A, 0xFF, 0, 0x5A])),
            "scene": try scene(.jpeg(quality: 50)),
        ]
    }
}
