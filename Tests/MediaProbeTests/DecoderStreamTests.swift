import AttachmentRules
import MediaProbe
import Testing

/// What is not the picture does not reach its decoder.
@Suite struct DecoderStreamTests {
    static let secret = "SECRET"
    private static let text = ascii("SECRET")

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        /// A JPEG with this between its JFIF header and its tables.
        static func jpeg(_ name: String, _ extra: [UInt8]) -> Case {
            Case(
                "JPEG: " + name,
                JpegBuilder.file(
                    JpegBuilder.jfif, extra, JpegBuilder.quantization, JpegBuilder.frame(), JpegBuilder.huffman,
                    JpegBuilder.scan()))
        }

        /// A PNG with this between its header and its data.
        static func png(_ name: String, _ extra: [UInt8]) -> Case {
            Case("PNG: " + name, PngBuilder.file(PngBuilder.header(), extra, PngBuilder.data))
        }

        /// A WebP with these chunks after its picture.
        static func webp(_ name: String, flags: UInt8 = 0, _ extra: [UInt8]) -> Case {
            Case("WebP: " + name, WebpBuilder.file(WebpBuilder.extended(flags: flags), WebpBuilder.lossy(), extra))
        }
    }

    static let cases: [Case] = [
        .jpeg("Exif", JpegBuilder.exif(JpegBuilder.exifBody + text)),
        .jpeg("XMP", JpegBuilder.segment(0xE1, ascii("http://ns.adobe.com/xap/1.0/\0") + text)),
        .jpeg("comment", JpegBuilder.segment(0xFE, text)),
        .jpeg("Photoshop", JpegBuilder.segment(0xED, ascii("Photoshop 3.0\0") + text)),
        .jpeg("several pictures", JpegBuilder.segment(0xE2, ascii("MPF\0") + text)),
        .jpeg("JFIF extension", JpegBuilder.segment(0xE0, ascii("JFXX\0") + [0x10] + text)),
        .jpeg("a second JFIF", JpegBuilder.segment(0xE0, ascii("JFIF\0") + [1, 1, 0, 0, 1, 0, 1, 0, 0] + text)),
        .jpeg("APP14 of somebody else", JpegBuilder.segment(0xEE, ascii("Adobo") + [0, 100, 0, 0, 0, 0, 1] + text)),
        .jpeg("a long Adobe segment", JpegBuilder.segment(0xEE, ascii("Adobe") + [0, 100, 0, 0, 0, 0, 1] + text)),
        .jpeg("every other APPn", (3...12).flatMap { JpegBuilder.segment(0xE0 + $0, text) }),
        .jpeg("a flood of comments", (0..<900).flatMap { _ in JpegBuilder.segment(0xFE, text) }),
        .jpeg("stray bytes", text),
        .jpeg("a broken profile", JpegBuilder.segment(0xE2, ascii("ICC_PROFILE\0") + [1, 1] + text)),
        Case(
            "JPEG: thumbnail in JFIF",
            JpegBuilder.file(
                JpegBuilder.segment(0xE0, ascii("JFIF\0") + [1, 2, 1, 0, 72, 0, 72, 1, 2] + text),
                JpegBuilder.quantization, JpegBuilder.frame(), JpegBuilder.huffman, JpegBuilder.scan())),
        Case(
            "JPEG: between scans and behind",
            JpegBuilder.file(
                JpegBuilder.jfif, JpegBuilder.quantization, JpegBuilder.frame(), JpegBuilder.huffman,
                JpegBuilder.scan([1]), JpegBuilder.segment(0xFE, text), JpegBuilder.segment(0xE2, text),
                JpegBuilder.scan([2]), JpegBuilder.exif(JpegBuilder.exifBody + text), JpegBuilder.scan([3]),
                JpegBuilder.segment(0xEF, text))),
        Case("JPEG: trailer", JpegBuilder.rendition + text),
        .png("tEXt", PngBuilder.chunk("tEXt", ascii("Comment\0") + text)),
        .png("zTXt", PngBuilder.chunk("zTXt", ascii("Comment\0\0") + PngBuilder.stored(text))),
        .png("iTXt", PngBuilder.chunk("iTXt", ascii("Comment\0\0\0\0\0") + text)),
        .png("eXIf", PngBuilder.chunk("eXIf", JpegBuilder.exifBody + text)),
        .png("unknown", PngBuilder.chunk("prVt", text)),
        .png("known to nobody", PngBuilder.chunk("caBX", text)),
        .png(
            "animation",
            PngBuilder.animationControl + PngBuilder.frameControl(0) + PngBuilder.chunk("fdAT", big32(1) + text)),
        .png(
            "colours by number",
            PngBuilder.chunk("gAMA", big32(45_455)) + PngBuilder.chunk("sRGB", [0]) + PngBuilder.chunk("bKGD", text)),
        .png("a broken profile", PngBuilder.chunk("iCCP", ascii("x\0\0") + PngBuilder.stored(text))),
        .png(
            "a second transparency",
            PngBuilder.chunk("tRNS", [0, 0, 0, 0, 0, 0]) + PngBuilder.chunk("tRNS", text)),
        Case(
            "PNG: behind the data",
            PngBuilder.file(PngBuilder.header(), PngBuilder.data, PngBuilder.chunk("tEXt", ascii("Comment\0") + text))),
        Case("PNG: inside the end", Array(PngBuilder.rgb.dropLast(12)) + PngBuilder.chunk("IEND", text)),
        Case("PNG: trailer", PngBuilder.rgb + text),
        .webp("EXIF", flags: 0x08, WebpBuilder.chunk("EXIF", JpegBuilder.exifBody + text)),
        .webp("XMP", flags: 0x04, WebpBuilder.chunk("XMP ", text)),
        .webp("unknown, of an odd length", WebpBuilder.chunk("abcd", text + [0x2E])),
        Case("WebP: trailer", WebpBuilder.still + text),
        Case(
            "GIF: later frames",
            Array(GifBuilder.animated.dropLast()) + [0x21, 0xFE, 6] + text + [0] + [0x3B]),
    ]

    @Test(arguments: cases) func nothingElseIsHandedOver(_ test: Case) throws {
        #expect(contains(test.bytes, ascii(Self.secret)))
        let made = try HandedOver(test.bytes)
        #expect(!made.has(Self.secret))
        #expect(!made.stream.isFile(of: test.bytes.count))
        try Self.expectSettled(test.bytes, made)
    }

    /// Of a HEIF only the name of its Exif item changes, because everything in it has its place by number.
    @Test func aHEIFHasNoExifItem() throws {
        let file = HeifBuilder(
            items: [
                .init(identifier: 1),
                .init(identifier: 2, type: "Exif", data: big32(0) + JpegBuilder.exifBody, properties: []),
                .init(identifier: 3, type: "Exif", properties: []),
            ],
            references: [("cdsc", 2, [1])]
        ).bytes
        let made = try HandedOver(file)
        #expect(!made.has("Exif"))
        #expect(made.picture.count == file.count)
        #expect(made.stream.exif == JpegBuilder.exifBody)
        try Self.expectSettled(file, made)
    }

    @Test func theEXIFBlockFollowsThePicture() throws {
        for file in [JpegBuilder.baseline, PngBuilder.rgb, WebpBuilder.withExif] {
            let made = try HandedOver(file)
            #expect(made.stream.exif == JpegBuilder.exifBody)
            #expect(made.stream.pictureBytes == made.picture.count)
            #expect(made.stream.facts.exif == made.picture.count..<made.picture.count + JpegBuilder.exifBody.count)
            #expect(made.stream.facts.hiddenBytes.isEmpty)
        }
    }

    static let clean: [Case] = [
        Case("JPEG", JpegBuilder.rendition), Case("progressive JPEG", JpegBuilder.progressive),
        Case("JPEG without a header", Array(JpegBuilder.start + JpegBuilder.rendition.dropFirst(20))),
        Case("palette PNG", PngBuilder.palette), Case("GIF", GifBuilder.still), Case("WebP", WebpBuilder.still),
        Case("animated WebP", WebpBuilder.animated), Case("HEIC", HeifBuilder.heic), Case("AVIF", HeifBuilder.avif),
        Case("TIFF", TiffBuilder().bytes),
    ]

    @Test(arguments: clean) func aCleanFileIsHandedOverItself(_ test: Case) throws {
        let made = try HandedOver(test.bytes)
        #expect(made.stream.isFile(of: test.bytes.count))
        #expect(made.picture == test.bytes)
        #expect(made.stream.facts == (try examine(test.bytes)))
    }

    /// The stream is a whole file of the same picture, and there is nothing more to take out of it.
    static func expectSettled(_ bytes: [UInt8], _ made: HandedOver) throws {
        let before = try examine(bytes)
        let after = try examine(made.picture)
        #expect(after.isComplete && after.trailingBytes == 0 && after.exif == nil && after.hiddenBytes.isEmpty)
        #expect((after.width, after.height) == (before.width, before.height))
        #expect((after.colorModel, after.hasAlpha) == (before.colorModel, before.hasAlpha))
        let again = try HandedOver(made.picture)
        #expect(again.stream.isFile(of: made.picture.count))
    }

    /// Whatever the probe lets through is rebuilt into something that it lets through, and then stays the same.
    @Test(arguments: wholeFiles.indices) func damagedFilesSettle(_ index: Int) throws {
        var generator = SeededGenerator(seed: UInt64(index) + 31)
        let original = wholeFiles[index].bytes
        for _ in 0..<1_500 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let offset = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator)!
                case 2: bytes.removeSubrange(offset..<min(bytes.count, offset + 3))
                default: bytes.insert(contentsOf: original.prefix(offset).suffix(9), at: offset)
                }
                if bytes.isEmpty { bytes = original }
            }
            guard let made = try? HandedOver(bytes), refusal(bytes) == nil else { continue }
            #expect(made.picture.count + made.stream.exif.count <= bytes.count + 65_536)
            #expect(refusal(made.picture) == nil, "\(bytes)")
            #expect((try? HandedOver(made.picture))?.stream.isFile(of: made.picture.count) == true, "\(bytes)")
        }
    }

    @Test("all frames of a GIF stay for a check, as many as its decoder takes", arguments: [2, 4_096, 4_099])
    func frames(count: Int) throws {
        let frames = (0..<count).flatMap { _ in GifBuilder.frame() }
        let bytes = GifBuilder.file(GifBuilder.screen(), frames)
        let facts = try MediaProbe.examine(bytes.span, limits: Limits())
        #expect(facts.frames == count)
        let stream = DecoderStream(of: bytes.span, facts: facts, limits: Limits(), allFrames: true)
        let shown = min(count, 4_096)
        #expect(stream.facts.frames == shown)
        #expect(stream.pictureBytes == GifBuilder.screen().count + shown * GifBuilder.frame().count + 1)
        let first = DecoderStream(of: bytes.span, facts: facts, limits: Limits())
        #expect(first.pictureBytes == GifBuilder.screen().count + GifBuilder.frame().count + 1)
    }

    @Test("a later frame that is not whole is found where it is decoded")
    func shortFrame() throws {
        let bytes = GifBuilder.file(GifBuilder.screen(), GifBuilder.frame(), GifBuilder.frame(data: [0x44, 0]))
        let facts = try MediaProbe.examine(bytes.span, limits: Limits())
        #expect(DecoderStream(of: bytes.span, facts: facts, limits: Limits()).facts.isComplete)
        #expect(!DecoderStream(of: bytes.span, facts: facts, limits: Limits(), allFrames: true).facts.isComplete)
    }
}
