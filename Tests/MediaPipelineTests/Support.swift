import AttachmentRules
import JobProtocol
import MediaProbe
import Scenes
import Testing
import Vips

@testable import MediaPipeline

/// What the pipeline made of a file.
struct Made {
    let source: SourceFacts
    let rendition: Rendition
    let bytes: [UInt8]
    let picture: Picture
}

/// A decoded picture, to be looked at pixel by pixel.
struct Picture {
    let width: Int
    let height: Int
    let bands: Int
    let samples: [UInt8]

    init(_ image: VipsImage) throws {
        width = image.width
        height = image.height
        bands = image.bands
        let length = width * bands
        var samples: [UInt8] = []
        try image.forEachStrip { _, rows, start, stride in
            for row in 0..<rows {
                samples += UnsafeRawBufferPointer(start: start + row * stride, count: length)
            }
        }
        self.samples = samples
    }

    /// Mean colour of a rectangle given in parts of the picture.
    func mean(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> [Double] {
        var sums = [Double](repeating: 0, count: bands)
        var count = 0.0
        for row in Int(y.lowerBound * Double(height))..<max(Int(y.upperBound * Double(height)), 1) {
            for column in Int(x.lowerBound * Double(width))..<max(Int(x.upperBound * Double(width)), 1) {
                for band in 0..<bands { sums[band] += Double(samples[(row * width + column) * bands + band]) }
                count += 1
            }
        }
        return sums.map { $0 / count }
    }

    var mean: [Double] { mean(0...1, 0...1) }

    /// Mean absolute difference, in steps of 255.
    func difference(to other: Picture) -> Double {
        guard samples.count == other.samples.count, width == other.width else { return .infinity }
        var sum = 0
        for (a, b) in zip(samples, other.samples) { sum += abs(Int(a) - Int(b)) }
        return Double(sum) / Double(max(samples.count, 1))
    }
}

/// The facts that a probe would find, complete whatever the bytes are.
func facts(_ type: MediaType, _ width: Int, _ height: Int, exif: ExifBlock? = nil, in bytes: [UInt8] = [])
    -> MediaFacts
{
    var facts = MediaFacts(mediaType: type, width: width, height: height, colorModel: .rgb)
    if let block = exif?.bytes {
        let place = bytes.indices.first { bytes[$0...].starts(with: block) }
        facts.exif = place.map { $0..<$0 + block.count }
    }
    return facts
}

func outcome(
    _ bytes: [UInt8], _ facts: MediaFacts, _ recipe: Recipe = Recipe(), kind: JobRequest.Kind = .render,
    write: (UnsafeRawBufferPointer) throws -> Void
) throws -> JobReply.Outcome {
    try MediaPipeline.start()
    // The EXIF block follows the picture, as it does behind a decoder stream.
    var facts = facts
    let block = facts.exif.map { Array(bytes[$0]) } ?? []
    if !block.isEmpty { facts.exif = bytes.count..<bytes.count + block.count }
    let request = JobRequest(id: 7, facts: facts, pictureBytes: bytes.count, recipe: recipe, kind: kind)
    return (bytes + block).withUnsafeBytes { MediaPipeline.process($0, request: request, write: write) }
}

/// Runs the whole pipeline and decodes what it wrote.
func make(
    _ bytes: [UInt8], _ facts: MediaFacts, _ recipe: Recipe = Recipe(), kind: JobRequest.Kind = .render
) throws -> Made {
    var written: [[UInt8]] = []
    let outcome = try outcome(bytes, facts, recipe, kind: kind) { written.append([UInt8]($0)) }
    guard case .rendered(let source, let rendition) = outcome else {
        throw Unexpected(outcome: "\(outcome)")
    }
    #expect(written.count == 1)
    let result = try #require(written.first)
    #expect(result.count == rendition.bytes)
    let picture = try result.withUnsafeBytes { try Picture(VipsImage.load(.jpeg, $0)) }
    #expect(picture.bands == 3)
    #expect(picture.width == rendition.size.width && picture.height == rendition.size.height)
    return Made(source: source, rendition: rendition, bytes: result, picture: picture)
}

struct Unexpected: Error {
    let outcome: String
}

/// The refusal of a file that must not be made into anything.
func refusal(_ bytes: [UInt8], _ facts: MediaFacts, _ recipe: Recipe = Recipe()) throws -> Rejection? {
    let outcome = try outcome(bytes, facts, recipe) { _ in Issue.record("a refused picture was written") }
    guard case .refused(let rejection) = outcome else { return nil }
    return rejection
}

/// The picture's stream that a decoder is handed for a file.
func handedOver(_ bytes: [UInt8]) throws -> [UInt8] {
    let facts = try MediaProbe.examine(bytes.span, limits: Limits())
    return DecoderStream(of: bytes.span, facts: facts, limits: Limits()).picture.flatMap { piece in
        switch piece {
        case .source(let range): Array(bytes[range])
        case .new(let bytes): bytes
        }
    }
}

func recipe(shortEdge: Int) -> Recipe {
    var recipe = Recipe()
    recipe.shortEdge = shortEdge
    return recipe
}
