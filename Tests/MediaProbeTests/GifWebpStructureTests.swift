import AttachmentRules
import MediaProbe
import Testing

@Suite struct GifStructureTests {
    static let accepted = [
        FactsCase("still", GifBuilder.still) {
            $0.mediaType == .gif && $0.width == 4 && $0.height == 3 && $0.frames == 1 && !$0.hasAlpha && $0.isComplete
                && $0.colorModel == .palette
        },
        FactsCase("animated, transparent", GifBuilder.animated) { $0.frames == 2 && $0.hasAlpha && $0.isComplete },
        FactsCase("only the first frame is for the decoder", GifBuilder.animated) { facts in
            facts.hiddenBytes.count == 1 && facts.hiddenBytes.last?.upperBound == GifBuilder.animated.count - 1
        },
        FactsCase("interlaced", GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(flags: 0x40))) {
            $0.isInterlaced
        },
        FactsCase(
            "only a later frame is transparent",
            GifBuilder.file(
                GifBuilder.screen(), GifBuilder.frame(), GifBuilder.control(isTransparent: true), GifBuilder.frame())
        ) { !$0.hasAlpha },
        FactsCase(
            "data end within a later frame",
            GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(), GifBuilder.frame(data: []))
        ) { $0.isComplete },
        // Twelve pixels of one colour, as codes for one, two, three, four and two of them.
        FactsCase(
            "data without an end code",
            GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(data: [0x84, 0x8F, 0x06]))
        ) { $0.isComplete },
        FactsCase("script after the trailer", GifBuilder.still + ascii("/*<script>*/")) { $0.trailingBytes == 12 },
        FactsCase(
            "first frame reaches over the screen",
            GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(x: 3, width: 4), GifBuilder.frame(y: 900))
        ) { $0.width == 7 && $0.height == 3 },
    ]

    @Test(arguments: accepted) func accepts(_ file: FactsCase) throws { try file.verify() }

    static let refused = [
        FileCase("no trailer", .truncated, Array(GifBuilder.still.dropLast())),
        FileCase("header cut", .truncated, Array(GifBuilder.still.prefix(9))),
        FileCase("no frame", .malformed, GifBuilder.file(GifBuilder.screen())),
        FileCase("no width", .malformed, GifBuilder.file(GifBuilder.screen(width: 0), GifBuilder.frame())),
        FileCase("unknown block first", .malformed, GifBuilder.file(GifBuilder.screen(), [7], GifBuilder.frame())),
        FileCase(
            "unknown block later", .truncated,
            GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(), [7], GifBuilder.frame())),
        FileCase(
            "data end within the first frame", .truncated,
            GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(data: [0x44, 0]))),
        FileCase(
            "no data in the first frame", .truncated,
            GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(data: []), GifBuilder.frame())),
        FileCase("13-bit codes", .malformed, GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(codeSize: 12))),
        FileCase(
            "screen of 4 gigapixels", .tooManyPixels,
            GifBuilder.file(GifBuilder.screen(width: 65_535, height: 65_535), GifBuilder.frame())),
        FileCase(
            "first frame of 4 gigapixels", .tooManyPixels,
            GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(width: 65_535, height: 65_535))),
        FileCase(
            "two canvases do not fit in memory", .tooMuchMemory,
            GifBuilder.file(GifBuilder.screen(width: 9_000, height: 9_000), GifBuilder.frame())),
        FileCase(
            "frame flood", .tooManyFrames,
            GifBuilder.screen() + Array([[UInt8]](repeating: GifBuilder.frame(), count: 10_001).joined())),
        FileCase(
            "extension flood", .tooManySegments,
            GifBuilder.screen() + Array([[UInt8]](repeating: [0x21, 0xFE, 0], count: 20_001).joined())),
    ]

    @Test(arguments: refused) func refuses(_ file: FileCase) { #expect(refusal(file.bytes) == file.expected) }

    @Test func subBlockFlood() {
        var limits = Limits()
        limits.subBlocks = 10
        let chain = Array([[UInt8]](repeating: [1, 7], count: 11).joined())
        #expect(refusal(GifBuilder.screen() + [0x21, 0xFE] + chain, limits: limits) == .tooManySegments)
    }
}

@Suite struct WebpStructureTests {
    static let accepted = [
        FactsCase("lossy", WebpBuilder.still) {
            $0.mediaType == .webp && $0.width == 4 && $0.height == 3 && $0.colorModel == .ycbcr && !$0.hasAlpha
                && $0.isComplete && $0.notes.isEmpty
        },
        FactsCase("lossless with alpha", WebpBuilder.file(WebpBuilder.lossless(hasAlpha: true))) {
            $0.width == 4 && $0.height == 3 && $0.hasAlpha && $0.colorModel == .rgb
        },
        FactsCase("largest lossless", WebpBuilder.file(WebpBuilder.lossless(width: 16_384, height: 1))) {
            $0.width == 16_384 && $0.height == 1
        },
        FactsCase("extended, with Exif", WebpBuilder.withExif) { $0.exif?.count == JpegBuilder.exifBody.count },
        FactsCase(
            "alpha plane",
            WebpBuilder.file(WebpBuilder.extended(), WebpBuilder.chunk("ALPH", [0, 1]), WebpBuilder.lossy())
        ) { $0.hasAlpha },
        FactsCase("animated", WebpBuilder.animated) { $0.frames == 2 && $0.hasAlpha && $0.isComplete },
        FactsCase("80 megapixels", WebpBuilder.file(WebpBuilder.lossy(width: 10_240, height: 7_812))) {
            $0.workingMemory == 351_979_520
        },
        FactsCase("48 megapixels lossless", WebpBuilder.file(WebpBuilder.lossless(width: 8_064, height: 6_048))) {
            $0.workingMemory == 373_397_504
        },
        FactsCase(
            "24 megapixels with an alpha plane",
            WebpBuilder.file(
                WebpBuilder.extended(width: 6_000, height: 4_000), WebpBuilder.chunk("ALPH", [0, 1]),
                WebpBuilder.lossy(width: 6_000, height: 4_000))
        ) { $0.workingMemory == 368_000_000 },
        FactsCase("trailing bytes", WebpBuilder.still + [1, 2]) {
            $0.trailingBytes == 2 && $0.notes.map(\.code) == [.trailingBytes]
        },
    ]

    @Test(arguments: accepted) func accepts(_ file: FactsCase) throws { try file.verify() }

    static let refused = [
        FileCase(
            "24 megapixels lossless with alpha", .tooMuchMemory,
            WebpBuilder.file(WebpBuilder.lossless(width: 6_000, height: 4_000, hasAlpha: true))),
        FileCase(
            "51 megapixels lossless", .tooMuchMemory,
            WebpBuilder.file(WebpBuilder.lossless(width: 8_500, height: 6_000))),
        FileCase("reserved and not filled", .truncated, WebpBuilder.file(unwritten(64))),
        FileCase("shorter than RIFF says", .truncated, Array(WebpBuilder.withExif.dropLast(3))),
        FileCase("cut before the picture", .truncated, Array(WebpBuilder.still.prefix(16))),
        FileCase(
            "canvas and picture differ", .malformed,
            WebpBuilder.file(WebpBuilder.extended(width: 5), WebpBuilder.lossy())),
        FileCase("no picture", .malformed, WebpBuilder.file(WebpBuilder.extended())),
        FileCase("animated without frames", .malformed, WebpBuilder.file(WebpBuilder.extended(flags: 2))),
        FileCase(
            "starts with metadata", .malformed, WebpBuilder.file(WebpBuilder.chunk("XMP ", []), WebpBuilder.lossy())),
        FileCase(
            "no key frame", .malformed, WebpBuilder.file(WebpBuilder.chunk("VP8 ", [UInt8](repeating: 1, count: 12)))),
        FileCase(
            "lossless without its mark", .malformed,
            WebpBuilder.file(WebpBuilder.chunk("VP8L", .init(repeating: 0, count: 8)))),
        FileCase(
            "268 megapixels", .tooManyPixels, WebpBuilder.file(WebpBuilder.lossless(width: 16_383, height: 16_383))),
        FileCase(
            "frame flood", .tooManyFrames,
            WebpBuilder.file(
                WebpBuilder.extended(flags: 2),
                Array([[UInt8]](repeating: WebpBuilder.chunk("ANMF", []), count: 10_001).joined()))),
        FileCase(
            "chunk flood", .tooManySegments,
            WebpBuilder.file(
                WebpBuilder.lossy(), Array([[UInt8]](repeating: WebpBuilder.chunk("junk", []), count: 20_001).joined()))
        ),
    ]

    @Test(arguments: refused) func refuses(_ file: FileCase) { #expect(refusal(file.bytes) == file.expected) }

    /// A lossy picture, and then space that was reserved for the rest of it and never filled.
    static func unwritten(_ zeros: Int) -> [UInt8] {
        let picture = WebpBuilder.lossy()
        let body = Array(picture.dropFirst(8)) + [UInt8](repeating: 0, count: zeros)
        return WebpBuilder.chunk("VP8 ", body)
    }

    @Test(arguments: [62, 64]) func sixtyFourZerosAtTheEndAreUnwritten(_ zeros: Int) throws {
        let animated = WebpBuilder.file(
            WebpBuilder.extended(flags: 2), WebpBuilder.frame(Self.unwritten(zeros)),
            WebpBuilder.frame(Self.unwritten(64)))
        #expect(try examine(WebpBuilder.file(Self.unwritten(zeros))).isComplete == (zeros < 64))
        #expect(try examine(animated).isComplete == (zeros < 64))
    }

    /// The length may or may not count the padding of the last chunk.
    @Test func paddingIsNoTrailer() throws {
        var file = WebpBuilder.file(WebpBuilder.lossy(), WebpBuilder.chunk("XMP ", [1, 2, 3]))
        file[4] -= 1
        let facts = try examine(file)
        #expect(facts.isComplete && facts.trailingBytes == 0)
    }
}
