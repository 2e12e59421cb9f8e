import AttachmentRules
import Scenes
import Testing

@testable import MediaProbe

/// A JPEG and a PNG keep one colour profile, if it is sound.
@Suite struct StreamProfileTests {
    static let profile = MatrixProfile.wide.bytes
    /// So long that a JPEG needs two segments for it.
    static let long = changed(profile + [UInt8](repeating: 0xA5, count: 70_000)) { bytes in
        bytes.replaceSubrange(0..<4, with: big32(bytes.count))
    }

    static func changed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = bytes
        change(&bytes)
        return bytes
    }

    static func segment(_ data: some Collection<UInt8>, _ number: UInt8 = 1, of count: UInt8 = 1) -> [UInt8] {
        JpegBuilder.segment(0xE2, ascii("ICC_PROFILE\0") + [number, count] + data)
    }

    static func jpeg(_ segments: [UInt8]...) -> [UInt8] {
        JpegBuilder.file(
            JpegBuilder.jfif, segments.flatMap { $0 }, JpegBuilder.quantization, JpegBuilder.frame(),
            JpegBuilder.huffman, JpegBuilder.scan())
    }

    static func png(_ profile: [UInt8], type: UInt8 = 2) -> [UInt8] {
        PngBuilder.file(
            PngBuilder.header(type: type), PngBuilder.chunk("iCCP", ascii("Some name\0\0") + zlib(profile)),
            PngBuilder.data)
    }

    /// A zlib stream of many stored blocks, which is not what we would write.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x9C]
        for start in stride(from: 0, to: bytes.count, by: 1_000) {
            let block = bytes[start..<min(start + 1_000, bytes.count)]
            stream.append(block.endIndex == bytes.count ? 1 : 0)
            stream += little16(block.count) + little16(block.count ^ 0xFFFF) + block
        }
        return stream + PngBuilder.stored(bytes).suffix(4)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    static let half = long.count / 2

    static let sound = [
        Case(name: "one segment", bytes: jpeg(segment(profile))),
        Case(name: "with bytes behind its end", bytes: jpeg(segment(profile + [1, 2, 3]))),
        Case(
            name: "in two unequal parts",
            bytes: jpeg(segment(profile[..<9], 1, of: 2), segment(profile[9...], 2, of: 2))),
        Case(
            name: "in two parts the wrong way round",
            bytes: jpeg(
                segment(profile[9...], 2, of: 2), JpegBuilder.segment(0xFE, [1]), segment(profile[..<9], 1, of: 2))),
        Case(
            name: "in three parts, one of them empty",
            bytes: jpeg(
                segment(profile[..<9], 1, of: 3), segment([], 2, of: 3), segment(profile[9...], 3, of: 3))),
        Case(name: "PNG", bytes: png(profile)),
    ]

    @Test(arguments: sound) func aSoundProfileIsKept(_ test: Case) throws {
        let made = try HandedOver(test.bytes)
        #expect(contains(made.picture, Self.profile))
        #expect(made.notes.isEmpty)
        try DecoderStreamTests.expectSettled(test.bytes, made)
    }

    @Test func aLongProfileIsSplitAnew() throws {
        let bytes = Self.jpeg(
            Self.segment(Self.long[Self.half...], 2, of: 2), Self.segment(Self.long[..<Self.half], 1, of: 2))
        let expected = Self.jpeg(
            Self.segment(Self.long[..<65_519], 1, of: 2), Self.segment(Self.long[65_519...], 2, of: 2))
        #expect(try HandedOver(bytes).picture == expected)
        #expect(try HandedOver(expected).stream.isFile(of: expected.count))
    }

    @Test(arguments: [profile, long]) func aPNGsProfileIsStored(_ profile: [UInt8]) throws {
        let bytes = Self.png(profile)
        let made = try HandedOver(bytes)
        let place = try #require((0..<100).first { made.picture[$0...].starts(with: ascii("iCCP")) })
        let length = made.picture[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        #expect(made.picture[(place + 4)...].starts(with: ascii("icc\0\0")))
        #expect(length == 4 + 1 + 2 + profile.count + 5 * profile.count.dividedRoundingUp(by: 65_535) + 4)
        let end = place + 4 + length
        let sum = PngBuilder.slowCrc(Array(made.picture[place..<end]))
        #expect(made.picture[end..<end + 4].elementsEqual(big32(Int(sum))))
        let inflated = PngProfile.inflated(made.picture.span, place + 4..<end)
        #expect(inflated == profile)
        try DecoderStreamTests.expectSettled(bytes, made)
    }

    static func with(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        changed(profile) { $0.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
    }

    static let brokenProfiles: [(name: String, bytes: [UInt8])] = [
        ("no signature", with(36, ascii("acsq"))), ("larger than it is", with(0, big32(profile.count + 1))),
        ("smaller than its tags", with(0, big32(profile.count - 1))), ("smaller than its header", with(0, big32(100))),
        ("a link between devices", with(12, ascii("link"))), ("no class", with(12, [0, 0, 0, 0])),
        ("for grey", with(16, ascii("GRAY"))), ("for presses", with(16, ascii("CMYK"))),
        ("for no known space", with(16, ascii("XXXX"))), ("no connection space", with(20, ascii("RGB "))),
        ("101 tags", with(128, big32(101))), ("a tag outside", with(132 + 4, big32(profile.count - 1))),
        ("a tag too long", with(132 + 8, [0xFF, 0xFF, 0xFF, 0xFF])), ("cut", Array(profile.dropLast(3))),
        ("a header only", Array(profile.prefix(128))), ("nothing", []),
    ]

    @Test(arguments: brokenProfiles.indices) func aBrokenProfileIsLeftOutWithANote(_ index: Int) throws {
        let (name, profile) = Self.brokenProfiles[index]
        for bytes in [Self.jpeg(Self.segment(profile)), Self.png(profile)] {
            let made = try HandedOver(bytes)
            #expect(
                made.notes == [.profileIgnored] || profile.isEmpty && made.notes.contains(.profileIgnored), "\(name)")
            #expect(!made.has("ICC_PROFILE") && !made.has("iCCP"), "\(name)")
            try DecoderStreamTests.expectSettled(bytes, made)
        }
    }

    static let brokenParts = [
        Case(name: "a part missing", bytes: jpeg(segment(profile[..<9], 1, of: 2))),
        Case(name: "a part twice", bytes: jpeg(segment(profile), segment(profile))),
        Case(name: "number 0", bytes: jpeg(segment(profile, 0, of: 1))),
        Case(name: "two counts", bytes: jpeg(segment(profile[..<9], 1, of: 2), segment(profile[9...], 2, of: 3))),
        Case(name: "no parts", bytes: jpeg(segment(profile, 1, of: 0))),
        Case(
            name: "more than 4 MiB",
            bytes: jpeg((1...70).flatMap { segment([UInt8](repeating: 0, count: 65_000), $0, of: 70) })),
        Case(
            name: "PNG: a wrong checksum of the stream",
            bytes: PngBuilder.file(
                PngBuilder.header(),
                PngBuilder.chunk(
                    "iCCP", ascii("x\0\0") + changed(PngBuilder.stored(profile)) { $0[$0.count - 1] ^= 1 }),
                PngBuilder.data)),
        Case(
            name: "PNG: a stream that is cut",
            bytes: PngBuilder.file(
                PngBuilder.header(), PngBuilder.chunk("iCCP", ascii("x\0\0") + PngBuilder.stored(profile).dropLast(9)),
                PngBuilder.data)),
        Case(
            name: "PNG: no name",
            bytes: PngBuilder.file(
                PngBuilder.header(), PngBuilder.chunk("iCCP", [0, 0] + PngBuilder.stored(profile)), PngBuilder.data)),
        Case(name: "PNG: a grey picture with a profile for RGB", bytes: png(profile, type: 0)),
    ]

    @Test(arguments: brokenParts) func aProfileInBrokenPartsIsLeftOutWithANote(_ test: Case) throws {
        let made = try HandedOver(test.bytes)
        #expect(made.notes.count(where: { $0 == .profileIgnored }) == 1)
        #expect(!contains(made.picture, Self.profile))
        try DecoderStreamTests.expectSettled(test.bytes, made)
    }

    @Test func theSpaceFitsThePicture() throws {
        let gray = Self.with(16, ascii("GRAY"))
        let cmyk = Self.with(16, ascii("CMYK"))
        let oneComponent = JpegBuilder.file(
            Self.segment(gray), JpegBuilder.quantization, JpegBuilder.frame(components: [(1, 0x11)]),
            JpegBuilder.huffman, JpegBuilder.scan([1]))
        let fourComponents = JpegBuilder.file(
            Self.segment(cmyk), JpegBuilder.quantization,
            JpegBuilder.frame(components: [(1, 0x11), (2, 0x11), (3, 0x11), (4, 0x11)]), JpegBuilder.huffman,
            JpegBuilder.scan([1, 2, 3, 4]))
        for (bytes, profile) in [(oneComponent, gray), (fourComponents, cmyk), (Self.png(gray, type: 4), gray)] {
            let made = try HandedOver(bytes)
            #expect(contains(made.picture, profile))
            #expect(made.notes.isEmpty)
        }
    }
}
