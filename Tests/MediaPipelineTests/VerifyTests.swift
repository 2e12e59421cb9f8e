import AttachmentRules
import Scenes
import Testing
import Vips

@testable import MediaPipeline

@Suite struct VerifyTests {
    static let width = 320
    static let height = 240

    /// The scene's pixels, changed.
    private func pixels(_ change: (inout Pixels) -> Void = { _ in }) throws -> Pixels {
        let picture = try Picture(Scene(width: Self.width, height: Self.height, seed: 9).image())
        var pixels = Pixels(width: Self.width, height: Self.height, bands: 3)
        _ = pixels.samples.initialize(from: picture.samples)
        change(&pixels)
        return pixels
    }

    private func check(
        _ result: consuming Pixels, quality: Int, against expected: borrowing Pixels
    ) throws -> Rejection? {
        let encoder = try Encoder(result, budget: .max)
        _ = try encoder.encode(quality: quality, progressive: false)
        do throws(Rejection) {
            try encoder.best.map { best throws(Rejection) in
                try best.blob.withBytes { bytes throws(Rejection) in
                    try Verify.check(bytes, quality: quality, against: expected)
                }
            }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [1, 5, 20, 50, 80, 95])
    func theRightPicturePassesAtEveryQuality(_ quality: Int) throws {
        #expect(try check(pixels(), quality: quality, against: pixels()) == nil)
    }

    /// Half-size chroma takes pure blue off such a pattern; that is what JPEG does, not damage.
    @Test(arguments: [16, 32, 64, 100], [20, 60, 80, 100])
    func aSmallSaturatedPatternPasses(_ edge: Int, quality: Int) throws {
        func pattern() -> Pixels {
            let pixels = Pixels(width: edge, height: edge, bands: 3)
            for index in 0..<edge * edge {
                let isWhite = (index % edge + index / edge) % 4 == 3
                for channel in 0..<2 { pixels.samples[index * 3 + channel] = isWhite ? 255 : 0 }
                pixels.samples[index * 3 + 2] = 255
            }
            return pixels
        }
        #expect(try check(pattern(), quality: quality, against: pattern()) == nil)
    }

    @Test(arguments: [20, 80], [64, 320])
    func aGreyBottomIsCaught(_ quality: Int, width: Int) throws {
        let scene = try Picture(Scene(width: width, height: width * 3 / 4, seed: 9).image())
        func pixels(greyFrom start: Int) -> Pixels {
            let pixels = Pixels(width: width, height: width * 3 / 4, bands: 3)
            _ = pixels.samples.initialize(from: scene.samples)
            for index in start..<pixels.samples.count { pixels.samples[index] = 128 }
            return pixels
        }
        let whole = pixels(greyFrom: scene.samples.count)
        let grey = pixels(greyFrom: scene.samples.count * 3 / 4)
        #expect(try check(grey, quality: quality, against: whole)?.code == .verifyFailed)
    }

    @Test(arguments: [20, 80])
    func swappedColoursAreCaught(_ quality: Int) throws {
        let swapped = try pixels { pixels in
            for index in stride(from: 0, to: pixels.samples.count, by: 3) { pixels.samples.swapAt(index, index + 2) }
        }
        #expect(try check(swapped, quality: quality, against: pixels())?.code == .verifyFailed)
    }

    @Test(arguments: [20, 80])
    func aMirroredPictureIsCaught(_ quality: Int) throws {
        let mirrored = try Orientation.mirrored.upright(pixels())
        #expect(try check(mirrored, quality: quality, against: pixels())?.code == .verifyFailed)
    }

    @Test func anotherSizeIsCaught() throws {
        let small = Pixels(width: Self.width, height: Self.height - 1, bands: 3)
        small.samples.initialize(repeating: 90)
        #expect(try check(small, quality: 80, against: pixels())?.code == .verifyFailed)
    }

    @Test func metadataAndDamageAreCaught() throws {
        try Vips.start()
        let scene = Scene(width: Self.width, height: Self.height, seed: 9)
        let plain = try scene.file(SceneFile(.jpeg()))
        let withExif = Splice.exif(ExifBlock(orientation: 1), intoJPEG: plain)
        let cut = Array(plain.prefix(plain.count - 300)) + [0xFF, 0xD9]
        var oneBand = SceneFile(.jpeg())
        oneBand.colors = .gray
        let grey = try scene.file(oneBand)
        for bytes in [withExif, cut, grey, []] {
            let expected = try pixels()
            let rejection = bytes.withUnsafeBytes { bytes in
                do throws(Rejection) {
                    try Verify.check(bytes, quality: 90, against: expected)
                    return Rejection?.none
                } catch {
                    return error
                }
            }
            #expect(rejection?.stage == .verify)
        }
    }
}
