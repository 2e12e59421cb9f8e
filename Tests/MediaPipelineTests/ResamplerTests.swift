import Scenes
import Testing
import Vips

@testable import MediaPipeline

@Suite struct ResamplerTests {
    private func resampled(_ image: VipsImage, _ width: Int, _ height: Int) throws -> Pixels {
        var resampler = Resampler(
            width: image.width, height: image.height, bands: image.bands, targetWidth: width, targetHeight: height)
        try image.forEachStrip { _, rows, samples, stride in
            for row in 0..<rows { resampler.add(row: samples + row * stride) }
        }
        return resampler.finish()
    }

    /// libvips rounds its weights to fixed point: tolerance 1.2 steps on the mean, 8 for a single sample.
    @Test(arguments: [(150, 100), (299, 199), (100, 67), (37, 150), (300, 20)])
    func agreesWithLibvips(_ width: Int, _ height: Int) throws {
        let image = try Scene(width: 300, height: 200, seed: 5, detail: 6).image()
        let ours = try resampled(image, width, height)
        let theirs = try Picture(
            image.resized(by: Double(width) / 300, vertically: Double(height) / 200).castToBytes())
        #expect(theirs.width == width && theirs.height == height)
        var sum = 0
        var largest = 0
        for (a, b) in zip(ours.samples, theirs.samples) {
            sum += abs(Int(a) - Int(b))
            largest = max(largest, abs(Int(a) - Int(b)))
        }
        #expect(Double(sum) / Double(theirs.samples.count) <= 1.2)
        #expect(largest <= 8)
    }

    @Test(arguments: [1, 3, 4], [(1, 1), (1, 40), (40, 1), (7, 5), (40, 40)])
    func aFlatPictureStaysFlat(_ bands: Int, _ size: (Int, Int)) {
        var resampler = Resampler(
            width: 40, height: 40, bands: bands, targetWidth: size.0, targetHeight: size.1)
        let row = [UInt8](repeating: 200, count: 40 * bands)
        for _ in 0..<40 { row.withUnsafeBytes { resampler.add(row: $0.baseAddress!) } }
        let result = resampler.finish()
        #expect(result.samples.count == size.0 * size.1 * bands)
        #expect(result.samples.allSatisfy { $0 == 200 })
    }

    @Test func anEqualSizeIsACopy() throws {
        let image = try Scene(width: 50, height: 30, seed: 2, detail: 9).image()
        let copy = try resampled(image, 50, 30)
        let original = try Picture(image)
        #expect(copy.samples.elementsEqual(original.samples))
    }

    @Test func overshootIsClipped() {
        var resampler = Resampler(width: 40, height: 1, bands: 1, targetWidth: 13, targetHeight: 1)
        let row = (0..<40).map { UInt8($0 < 20 ? 0 : 255) }
        row.withUnsafeBytes { resampler.add(row: $0.baseAddress!) }
        let result = resampler.finish()
        #expect(result.samples.first == 0 && result.samples.last == 255)
        #expect(zip(result.samples, result.samples.dropFirst()).allSatisfy { $0 <= $1 || abs(Int($0) - Int($1)) < 30 })
    }
}
