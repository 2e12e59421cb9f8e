import AttachmentRules
import MediaProbe
import Testing

@Suite struct HeifStructureTests {
    /// A picture of 2x1 tiles with a thumbnail and Exif.
    static func tiled(width: Int = 128, height: Int = 48, tiles: [Int] = [1, 2]) -> HeifBuilder {
        HeifBuilder(
            primary: 3,
            items: [
                .init(identifier: 1, isHidden: true), .init(identifier: 2, isHidden: true),
                .init(
                    identifier: 3, type: "grid",
                    data: HeifBuilder.grid(rows: 1, columns: 2, width: width, height: height), properties: [3]),
                .init(identifier: 4),
                .init(
                    identifier: 5, type: "Exif", data: big32(6) + ascii("Exif\0\0") + JpegBuilder.exifBody,
                    properties: []),
            ],
            properties: [HeifBuilder.size(64, 48), HeifBuilder.hevc(), HeifBuilder.size(128, 48)],
            references: [("dimg", 3, tiles), ("thmb", 4, [3]), ("cdsc", 5, [3])])
    }

    static func withAlpha() -> HeifBuilder {
        HeifBuilder(
            items: [.init(identifier: 1), .init(identifier: 2, properties: [1, 2, 3])],
            properties: [HeifBuilder.size(64, 48), HeifBuilder.hevc(), HeifBuilder.alpha],
            references: [("auxl", 2, [1])])
    }

    static func cropped(_ numbers: [Int]) -> HeifBuilder {
        HeifBuilder(
            items: [.init(identifier: 1, properties: [1, 2, 3])],
            properties: [HeifBuilder.size(64, 48), HeifBuilder.hevc(), HeifBuilder.crop(numbers)])
    }

    static func coded(_ type: String) -> HeifBuilder { HeifBuilder(items: [.init(identifier: 1, type: type)]) }

    static func sized(_ width: Int, _ height: Int, bits: UInt8 = 8) -> HeifBuilder {
        HeifBuilder(properties: [HeifBuilder.size(width, height), HeifBuilder.hevc(bits: bits)])
    }

    static let accepted = [
        FactsCase("HEIC", HeifBuilder.heic) {
            $0.mediaType == .heic && $0.width == 64 && $0.height == 48 && $0.bitsPerComponent == 8 && !$0.hasAlpha
                && $0.colorModel == .ycbcr && $0.frames == 1 && $0.isComplete && $0.exif == nil
        },
        FactsCase("AVIF", HeifBuilder.avif) { $0.mediaType == .avif && $0.bitsPerComponent == 8 },
        FactsCase("10-bit HEIC", sized(64, 48, bits: 10).bytes) { $0.bitsPerComponent == 10 },
        FactsCase(
            "12-bit grey AVIF",
            HeifBuilder(
                brands: ["avif"], items: [.init(identifier: 1, type: "av01")],
                properties: [HeifBuilder.size(64, 48), HeifBuilder.av1(flags: 0x70)]
            ).bytes
        ) { $0.bitsPerComponent == 12 && $0.colorModel == .gray },
        FactsCase("grid with thumbnail and Exif", tiled().bytes) {
            $0.width == 128 && $0.frames == 1 && $0.isComplete && $0.exif?.count == JpegBuilder.exifBody.count
        },
        FactsCase("alpha", withAlpha().bytes) { $0.hasAlpha && $0.frames == 1 },
        FactsCase(
            "identity of a coded item",
            HeifBuilder(
                primary: 2,
                items: [.init(identifier: 1), .init(identifier: 2, type: "iden", data: [], properties: [1])],
                references: [("dimg", 2, [1])]
            ).bytes
        ) { $0.width == 64 && $0.isComplete },
        FactsCase("two pictures", HeifBuilder(items: [.init(identifier: 1), .init(identifier: 2)]).bytes) {
            $0.frames == 2
        },
        FactsCase("whole crop", cropped([64, 1, 48, 1, 0, 1, 0, 1]).bytes) { $0.width == 64 },
        FactsCase(
            "film appended", HeifBuilder(tail: HeifBuilder.box("mpvd", [1, 2]) + HeifBuilder.box("moov", [3])).bytes
        ) { $0.isComplete && $0.trailingBytes == 0 },
        FactsCase("junk appended", HeifBuilder(tail: [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]).bytes) {
            $0.isComplete && $0.trailingBytes == 10 && $0.notes.map(\.code) == [.trailingBytes]
        },
        FactsCase("48 megapixels of a phone", sized(8_064, 6_048).bytes) { $0.workingMemory == 349_011_968 },
        FactsCase(
            "21 megapixels of 10 bits in 4:4:4",
            HeifBuilder(
                brands: ["avif"], items: [.init(identifier: 1, type: "av01")],
                properties: [HeifBuilder.size(5_560, 3_700), HeifBuilder.av1(flags: 0x40)]
            ).bytes
        ) { $0.workingMemory == 278_864_000 },
    ]

    @Test(arguments: accepted) func accepts(_ file: FactsCase) throws {
        try file.verify()
        #expect(refusal(file.bytes) == nil)
    }

    /// A tile of data, and then space that was reserved for the rest of it and never filled.
    static let unwritten = (1...100).map { UInt8($0) } + [UInt8](repeating: 0, count: 64)

    static func tiled(data: [UInt8]) -> HeifBuilder {
        var file = tiled()
        file.items[1].data = data
        return file
    }

    static func withAlpha(data: [UInt8]) -> HeifBuilder {
        var file = withAlpha()
        file.items[1].data = data
        return file
    }

    @Test(arguments: [false, true]) func sixtyFourZerosAtTheEndAreUnwritten(_ isWhole: Bool) throws {
        let data = isWhole ? Array(Self.unwritten.dropLast()) : Self.unwritten
        #expect(try examine(HeifBuilder(items: [.init(identifier: 1, data: data)]).bytes).isComplete == isWhole)
        #expect(try examine(Self.tiled(data: data).bytes).isComplete == isWhole)
        #expect(try examine(Self.withAlpha(data: data).bytes).isComplete == isWhole)
    }

    static let refused = [
        FileCase("reserved and not filled", .truncated, tiled(data: unwritten).bytes),
        FileCase("data cut", .truncated, Array(HeifBuilder.heic.dropLast())),
        FileCase("tile cut", .truncated, Array(tiled().bytes.dropLast(40))),
        FileCase("meta cut", .truncated, Array(HeifBuilder.heic.prefix(100))),
        FileCase(
            "appended box cut", .truncated,
            HeifBuilder(tail: Array(HeifBuilder.box("mpvd", [1, 2, 3]).dropLast())).bytes),
        FileCase("overlay", .unsupportedCoding, coded("iovl").bytes),
        FileCase("uncompressed", .unsupportedCoding, coded("unci").bytes),
        FileCase("JPEG inside", .unsupportedCoding, coded("jpeg").bytes),
        FileCase("JPEG 2000 inside", .unsupportedCoding, coded("j2k1").bytes),
        FileCase("VVC inside", .unsupportedCoding, coded("vvc1").bytes),
        FileCase("mask", .unsupportedCoding, coded("mski").bytes),
        FileCase(
            "minimised", .unsupportedCoding,
            HeifBuilder.box("ftyp", ascii("mif3") + big32(0)) + HeifBuilder.box("mini", [1, 2, 3])),
        FileCase(
            "sequence without still", .unsupportedCoding,
            HeifBuilder.box("ftyp", ascii("msf1") + big32(0)) + HeifBuilder.box("moov", [1, 2, 3])),
        FileCase(
            "no meta", .malformed, HeifBuilder.box("ftyp", ascii("heic") + big32(0)) + HeifBuilder.box("free", [])),
        FileCase("two metas", .malformed, HeifBuilder.heic + HeifBuilder.box("meta", big32(0))),
        FileCase("no primary", .malformed, HeifBuilder(primary: 9).bytes),
        FileCase("no configuration", .malformed, HeifBuilder(properties: [HeifBuilder.size(64, 48)]).bytes),
        FileCase("no size", .malformed, HeifBuilder(properties: [HeifBuilder.alpha, HeifBuilder.hevc()]).bytes),
        FileCase("width 0", .malformed, sized(0, 48).bytes),
        FileCase(
            "two items of one number", .malformed,
            HeifBuilder(items: [.init(identifier: 1), .init(identifier: 1)]).bytes),
        FileCase("grid of another size", .malformed, tiled(width: 60_000, height: 60_000).bytes),
        FileCase("grid lacks a tile", .malformed, tiled(tiles: [1]).bytes),
        FileCase("grid names no item", .malformed, tiled(tiles: [1, 99]).bytes),
        FileCase(
            "identity of itself", .malformed,
            HeifBuilder(
                items: [.init(identifier: 1, type: "iden")], references: [("dimg", 1, [1])]
            ).bytes),
        FileCase("crop divides by zero", .malformed, cropped([64, 0, 48, 1, 0, 1, 0, 1]).bytes),
        FileCase("crop larger than the picture", .malformed, cropped([65, 1, 48, 1, 0, 1, 0, 1]).bytes),
        FileCase("289 megapixels", .tooManyPixels, sized(17_000, 17_000).bytes),
        FileCase("16 exapixels", .tooManyPixels, sized(0xFFFF_FFFF, 0xFFFF_FFFF).bytes),
        FileCase("55 megapixels", .tooMuchMemory, sized(8_600, 6_400).bytes),
        FileCase("28 megapixels of 10 bits", .tooMuchMemory, sized(7_000, 4_000, bits: 10).bytes),
        FileCase(
            "item flood", .tooManySegments, HeifBuilder(items: (1...1_001).map { .init(identifier: $0) }).bytes),
        FileCase(
            "box flood", .tooManySegments,
            HeifBuilder.box("ftyp", ascii("heic") + big32(0))
                + Array([[UInt8]](repeating: HeifBuilder.box("free", []), count: 20_001).joined())),
    ]

    @Test(arguments: refused) func refuses(_ file: FileCase) { #expect(refusal(file.bytes) == file.expected) }
}
