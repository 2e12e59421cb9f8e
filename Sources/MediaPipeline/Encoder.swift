internal import Vips

/// Pixels in memory that are encoded as often as the search wants, and the best result so far.
final class Encoder {
    let pixels: Pixels
    private let image: VipsImage
    private let budget: Int
    /// The last result that fitted; the search never asks for a lower quality after one that fits.
    private(set) var best: Encoded?

    struct Encoded {
        let blob: VipsBlob
        let quality: Int
        let isProgressive: Bool
    }

    init(_ pixels: consuming Pixels, budget: Int) throws(VipsError) {
        self.pixels = pixels
        self.budget = budget
        image = try .over(self.pixels.bytes, width: self.pixels.width, height: self.pixels.height, space: .sRGB)
    }

    /// Gives the length of the result, in bytes, and keeps the result if it fits.
    func encode(quality: Int, progressive: Bool) throws(VipsError) -> Int {
        let blob = try image.jpeg(quality: quality, progressive: progressive)
        if blob.count <= budget {
            best = Encoded(blob: blob, quality: quality, isProgressive: progressive)
        }
        return blob.count
    }

    /// Gives the length that one more quality step would take, in bytes, and keeps nothing.
    func measure(quality: Int, progressive: Bool) throws(VipsError) -> Int {
        try image.jpeg(quality: quality, progressive: progressive).count
    }
}
