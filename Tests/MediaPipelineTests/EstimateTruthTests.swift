import AttachmentRules
import Foundation
import MediaProbe
import Testing
import Vips

/// What is estimated from a header, against what a decoder then hands out.
@Suite struct EstimateTruthTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/corpus")
    static let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "MANIFEST.tsv").path)

    /// The paths that are to be accepted.
    private static func accepted() throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: "MANIFEST.tsv"), encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let verdict = try #require(lines.first?.firstIndex(of: "verdict"))
        return lines.dropFirst().filter { $0[verdict] == "accept" }.map { String($0[0]) }
    }

    private static func loader(_ type: MediaType) -> VipsLoader? {
        switch type {
        case .jpeg: .jpeg
        case .png, .apng: .png
        case .gif: .gif
        case .webp: .webp
        case .heic, .heif, .avif: .heif
        case .tiff: .tiff
        default: nil
        }
    }

    /// Rows that a decoder hands out, and bytes a sample.
    private static func decoded(_ image: VipsImage) throws -> (rows: Int, sampleBytes: Int) {
        var count = 0
        var sampleBytes = 1
        try image.forEachStrip { _, rows, _, stride in
            count += rows
            sampleBytes = image.isPacked ? 1 : stride / (image.width * image.bands)
        }
        return (count, sampleBytes)
    }

    @Test(
        "bitmap and frames of every accepted picture of the corpus",
        .enabled(if: isThere, "the corpus is not next to the repository"))
    func corpus() throws {
        try Vips.start()
        var pictures = 0
        for path in try Self.accepted() {
            let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: path)))
            guard let facts = try? MediaProbe.examine(bytes.span, limits: Limits()),
                let loader = Self.loader(facts.mediaType)
            else { continue }
            let upright = MediaProbe.upright(bytes.span, facts: facts, limits: Limits())
            let estimate = DecodedMemory(
                width: upright.width, height: upright.height, bitsPerComponent: facts.bitsPerComponent)
            try bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                let image: VipsImage
                do {
                    image = try VipsImage.load(loader, bytes)
                } catch {
                    // Shown to a decoder as it is, and not as the stream that is made of it.
                    return
                }
                // An EXIF orientation is for whoever shows the picture; a HEIF comes turned.
                let isTurned = loader != .heif && upright.orientation >= 5
                guard let (rows, sampleBytes) = try? Self.decoded(image) else { return }
                let (width, height) = isTurned ? (rows, image.width) : (image.width, rows)
                let row = (width * 4 * sampleBytes + 63) / 64 * 64
                #expect(estimate.bitmapBytes == row * height, "\(path)")
                guard loader == .gif else { return }
                let all = try VipsImage.load(gif: bytes, frames: 0..<facts.frames)
                #expect(try Self.decoded(all).rows == rows * facts.frames, "\(path)")
                #expect(throws: VipsError.self, "\(path)") {
                    try VipsImage.load(gif: bytes, frames: 0..<facts.frames + 1)
                }
            }
            pictures += 1
        }
        #expect(pictures > 100)
    }
}
