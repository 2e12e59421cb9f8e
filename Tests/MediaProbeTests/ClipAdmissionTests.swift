import AttachmentRules
import MediaProbe
import Testing

/// What of sound and film is refused before a decoder sees it.
@Suite struct ClipAdmissionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let type: MediaType
        let bytes: [UInt8]
        let code: Rejection.Code?

        init(_ name: String, _ type: MediaType, _ bytes: [UInt8], _ code: Rejection.Code? = nil) {
            (testDescription, self.type, self.bytes, self.code) = (name, type, bytes, code)
        }
    }

    static func riff(_ size: Int, _ form: String, _ chunks: [UInt8]) -> [UInt8] {
        ascii("RIFF") + little32(size) + ascii(form) + chunks
    }

    static func data(_ size: Int, _ bytes: Int) -> [UInt8] {
        ascii("data") + little32(size) + .init(repeating: 0, count: bytes)
    }

    static func caf(_ size: [UInt8], _ bytes: Int) -> [UInt8] {
        ascii("caff") + [0, 1, 0, 0] + ascii("data") + size + .init(repeating: 0, count: bytes)
    }

    static func pack(_ length: Int, _ bytes: Int) -> [UInt8] {
        [0, 0, 1, 0xBA, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8, 0, 0, 1, 0xE0] + big16(length)
            + .init(repeating: 0, count: bytes)
    }

    /// A movie box whose one track has its data where this entry of its `dref` says.
    static func movie(_ name: String, _ flags: UInt8, _ location: [UInt8]) -> [UInt8] {
        let entry = HeifBuilder.box(name, [0, 0, 0, flags] + location)
        let table = HeifBuilder.box("dref", big32(0) + big32(1) + entry)
        let track = ["dinf", "minf", "mdia", "trak"].reduce(table) { HeifBuilder.box($1, $0) }
        return HeifBuilder.box("ftyp", ascii("isom") + big32(0)) + HeifBuilder.box("moov", track)
    }

    @Test(arguments: [
        Case("WAV", .wav, riff(20, "WAVE", data(8, 8))),
        Case("WAV of a program that does not know its length", .wav, riff(0xFFFF_FFFF, "WAVE", data(0xFFFF_FFFF, 8))),
        Case("WAV with no length at all", .wav, riff(0, "WAVE", data(0, 8))),
        Case("WAV with fewer samples than it says", .wav, riff(20, "WAVE", data(9, 8)), .truncated),
        Case("WAV without its last chunk", .wav, riff(40, "WAVE", data(8, 8)), .truncated),
        Case("WAV that ends in its header", .wav, ascii("RIFF"), .truncated),
        Case(
            "RF64", .wav,
            ascii("RF64") + little32(0xFFFF_FFFF) + ascii("WAVEds64") + little32(28) + little32(56) + little32(0)
                + little32(8) + little32(0) + .init(repeating: 0, count: 12) + data(0xFFFF_FFFF, 8)),
        Case(
            "RF64 that is cut", .wav,
            ascii("RF64") + little32(0xFFFF_FFFF) + ascii("WAVEds64") + little32(28) + little32(56) + little32(0)
                + little32(9) + little32(0) + .init(repeating: 0, count: 12) + data(0xFFFF_FFFF, 8), .truncated),
        Case("AVI", .avi, riff(4, "AVI ", [])),
        Case("AVI of two parts", .avi, riff(4, "AVI ", []) + riff(4, "AVIX", [])),
        Case("AVI without all of its second part", .avi, riff(4, "AVI ", []) + riff(8, "AVIX", []), .truncated),
        Case("AIFF", .aiff, ascii("FORM") + big32(12) + ascii("AIFFSSND") + big32(0)),
        Case("AIFF that is cut", .aiff, ascii("FORM") + big32(14) + ascii("AIFFSSND") + big32(0), .truncated),
        Case(
            "AIFF whose sound is longer than it", .aiff, ascii("FORM") + big32(12) + ascii("AIFFSSND") + big32(9),
            .truncated),
        Case("CAF", .caf, caf(big32(0) + big32(8), 8)),
        Case("CAF to the end", .caf, caf(.init(repeating: 0xFF, count: 8), 8)),
        Case("CAF that is cut", .caf, caf(big32(0) + big32(9), 8), .truncated),
        Case("AU", .au, ascii(".snd") + big32(12) + big32(4) + big32(0)),
        Case("AU to the end", .au, ascii(".snd") + big32(12) + big32(0xFFFF_FFFF) + big32(0)),
        Case("AU that is cut", .au, ascii(".snd") + big32(12) + big32(5) + big32(0), .truncated),
        Case("MPEG program stream", .mpeg, pack(4, 4) + [0, 0, 1, 0xB9]),
        Case("MPEG program stream that is cut", .mpeg, pack(5, 4), .truncated),
        Case("MP4", .mp4, HeifBuilder.box("ftyp", ascii("isom") + big32(0)) + HeifBuilder.box("mdat", [1, 2])),
        Case(
            "MP4 that is cut", .mp4,
            HeifBuilder.box("ftyp", ascii("isom") + big32(0)) + Array(HeifBuilder.box("mdat", [1, 2]).dropLast()),
            .truncated),
        Case("MP4 with its data in it", .mp4, movie("url ", 1, [])),
        Case("MP4 that says so for nothing", .mp4, movie("url ", 0, [0])),
        Case("MP4 with its data at an address", .mp4, movie("url ", 0, ascii("https://a/b")), .unsupportedCoding),
        Case("MOV with its data in another file", .quickTime, movie("alis", 0, [0, 2, 7]), .unsupportedCoding),
        Case(
            "MOV that stands for others", .quickTime, HeifBuilder.box("moov", HeifBuilder.box("rmra", [])),
            .unsupportedCoding),
        Case(
            "MOV with a compressed header", .quickTime, HeifBuilder.box("moov", HeifBuilder.box("cmov", [])),
            .unsupportedCoding),
        Case("FLAC", .flac, ascii("fLaC"), .typeNotAllowed),
        Case("WebM", .webm, [0x1A], .typeNotAllowed),
        Case("AAC without a container", .aac, [0xFF], .typeNotAllowed),
    ])
    func admission(_ test: Case) {
        var code: Rejection.Code?
        do throws(Rejection) {
            try MediaProbe.admit(clip: test.bytes.span, as: test.type)
        } catch {
            code = error.code
        }
        #expect(code == test.code)
    }

    @Test("the limit of bytes is the family's", arguments: [(MediaType.wav, 5_000_000), (.mp4, 50_000_000)])
    func bytes(type: MediaType, most: Int) throws {
        try MediaProbe.admit(clipBytes: most, as: type)
        let rejection = #expect(throws: Rejection.self) {
            try MediaProbe.admit(clipBytes: most + 1, as: type)
        }
        #expect(rejection?.code == .fileTooLarge && rejection?.rule == .tooManyBytes)
        #expect(rejection?.message.contains("\(most + 1)") == true)
    }
}
