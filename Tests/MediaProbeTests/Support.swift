import AttachmentRules
import MediaProbe
import Testing

/// One file of a table, by its name.
struct FileCase: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let expected: Rejection.Code

    init(_ name: String, _ expected: Rejection.Code, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        self.expected = expected
    }

    var testDescription: String { name }
}

/// One file with a check of its facts.
struct FactsCase: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let check: @Sendable (MediaFacts) -> Bool

    init(_ name: String, _ bytes: [UInt8], _ check: @escaping @Sendable (MediaFacts) -> Bool) {
        self.name = name
        self.bytes = bytes
        self.check = check
    }

    var testDescription: String { name }

    func verify() throws {
        let facts = try MediaProbe.examine(bytes.span, limits: Limits())
        #expect(check(facts), "\(facts)")
    }
}

/// Examines and admits, and gives the code of the refusal.
func refusal(_ bytes: [UInt8], limits: Limits = Limits()) -> Rejection.Code? {
    do throws(Rejection) {
        try MediaProbe.admit(try MediaProbe.examine(bytes.span, limits: limits), limits: limits)
        return nil
    } catch {
        return error.code
    }
}

/// One small whole file of every format and of every variant with structure of its own.
let wholeFiles: [(name: String, bytes: [UInt8])] = [
    ("baseline JPEG", JpegBuilder.baseline), ("progressive JPEG", JpegBuilder.progressive),
    ("PNG", PngBuilder.rgb), ("palette PNG", PngBuilder.palette), ("APNG", PngBuilder.animated),
    ("GIF", GifBuilder.still), ("animated GIF", GifBuilder.animated),
    ("WebP", WebpBuilder.still), ("WebP with Exif", WebpBuilder.withExif), ("animated WebP", WebpBuilder.animated),
    ("HEIC", HeifBuilder.heic), ("AVIF", HeifBuilder.avif),
    ("TIFF", TiffBuilder().bytes), ("big-endian TIFF", TiffBuilder(isLittleEndian: false, samples: 3).bytes),
    ("BigTIFF", TiffBuilder(isBig: true, samples: 4).bytes),
]

/// The facts of a file; for a macro, which cannot hold a span.
func examine(_ bytes: [UInt8]) throws(Rejection) -> MediaFacts {
    try MediaProbe.examine(bytes.span, limits: Limits())
}
