internal import AttachmentRules
internal import Vips

/// Which part of a finished picture a square thumbnail is to show.
enum Focus {
    /// Steps of 255 within which a picture has one colour only, and attention would name a corner of it.
    private static let flat = 8

    /// Where the largest square begins along the long edge, in pixels: around what libvips's attention finds, as far
    /// inside as the picture goes. nil for a square, and for a picture in which there is nothing to find.
    static func offset(in pixels: borrowing Pixels) throws(Rejection) -> Int? {
        let (width, height) = (pixels.width, pixels.height)
        let side = min(width, height)
        guard width != height, !isFlat(pixels) else { return nil }
        do throws(VipsError) {
            let image = try VipsImage.over(pixels.bytes, width: width, height: height, space: .sRGB)
            let centre = try image.attention(width: side, height: side)
            let along = width > height ? centre.x : centre.y
            return min(max(along - side / 2, 0), max(width, height) - side)
        } catch {
            throw Rejection(
                .verifyFailed, rule: .doesNotDecode, stage: .render,
                "No thumbnail could be placed on the picture (\(error.detail)).")
        }
    }

    private static func isFlat(_ pixels: borrowing Pixels) -> Bool {
        let samples = pixels.samples
        for band in 0..<pixels.bands {
            var least: UInt8 = .max
            var most: UInt8 = 0
            for index in stride(from: band, to: samples.count, by: pixels.bands) {
                least = min(least, samples[index])
                most = max(most, samples[index])
                if Int(most) - Int(least) > flat { return false }
            }
        }
        return true
    }
}
