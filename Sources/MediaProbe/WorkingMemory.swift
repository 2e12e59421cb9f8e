/// Estimates what decoding a picture takes here, in bytes.
///
/// Each formula counts what must be held at once for the way the format is coded, over a constant for the process.
/// The worker's address space for pictures, 512 MiB, is 1.4 times the most that may be estimated, because libraries
/// also reserve what they hardly touch: 17 MB of stacks, calloc'd canvases, and the file itself. No formula may be so low
/// that the address space exceeds 1.4 times the estimate for a picture near the limit: such a picture would be refused
/// as damaged.
///
/// Measured with libvips 8.14.1 (largest VmSize over that of the idle worker, against the estimate, in MB): lossy WebP of
/// 24 megapixels 106 to 128, of 80 megapixels 337 to 352; lossless 24 MP 152 to 200, 49 MP 297 to 373; with alpha 24 MP
/// lossy 463 to 368, lossless 517 to 392; HEIC of one item 12 MP 128 to 110, 24 MP 245 to 188, 49 MP 437 to 349, 10 bits
/// 12 MP 214 to 188; a phone's grid 12 MP 115 to 113; AVIF 4:4:4 of 10 bits and 21 MP 276 to 279; progressive JPEG 4:4:4
/// 49 MP 308 to 328. All products saturate.
enum WorkingMemory {
    /// libvips with its tables and a small picture (30 MB resident in a pooled worker).
    static let base = 32_000_000

    /// Rows of a picture that is decoded as it streams past and shrinks at once.
    private static let rowsInFlight = 128

    /// A baseline JPEG in one scan needs some rows; one in several scans, progressive or not, needs every
    /// coefficient of every padded block, two bytes each.
    static func jpeg(_ frame: JpegFrame, keepsCoefficients: Bool) -> Int {
        let rows = frame.width * frame.components.count * rowsInFlight
        return base + rows + (keepsCoefficients ? frame.allBlocks * 64 * 2 : 0)
    }

    /// Two rows, or when interlaced the whole picture; `bytesPerPixel` is that of the decoded samples.
    static func png(width: Int, height: Int, bytesPerPixel: Int, isInterlaced: Bool) -> Int {
        let row = width.saturatingTimes(bytesPerPixel)
        return row.saturatingTimes(isInterlaced ? height : 2).saturatingPlus(base)
    }

    /// The canvas as RGBA, and the one before it for frames that are drawn over it.
    static func gif(width: Int, height: Int) -> Int {
        width.saturatingTimes(height).saturatingTimes(4 * 2).saturatingPlus(base)
    }

    /// Without transparency libwebp shrinks while it decodes: what is left is libvips's canvas from the header on (4
    /// bytes a pixel), in whose place a lossless picture later has its own pixels (4) and the shrunk ones (up to 15 / 4).
    /// Otherwise it takes two canvases, the frame and what is handed on (4 each), and up to 4 of the coding.
    ///
    /// A picture without transparency that is too small to shrink for its result has at most 19 megapixels, because
    /// results have at most 2 and it shrinks from three times the result's edges on: at most 360 MB, whatever is said here.
    static func webp(width: Int, height: Int, isLossless: Bool, hasAlpha: Bool, isAnimated: Bool) -> Int {
        let bytesPerPixel = hasAlpha || isAnimated ? (isLossless ? 15 : 14) : (isLossless ? 7 : 4)
        return width.saturatingTimes(height).saturatingTimes(bytesPerPixel).saturatingPlus(base)
    }

    /// The Y, U and V planes of the whole picture, a plane for alpha, one tile more, and the RGB(A) made of them; two
    /// bytes a sample above 8 bits. Where chroma is subsampled, libheif first brings it to full size in
    /// a copy of its own: another U and V for every pixel.
    ///
    /// - Parameter halvesOfChroma: samples of U and V together for two pixels (0 for grey, 1 for 4:2:0, 2 for 4:2:2,
    ///   4 for 4:4:4).
    static func heif(pixels: Int, tilePixels: Int, bits: Int, halvesOfChroma: Int, hasAlpha: Bool) -> Int {
        let bytesPerSample = bits > 8 ? 2 : 1
        let alpha = hasAlpha ? 1 : 0
        let halvesOfPlanes = 2 + halvesOfChroma + 2 * alpha
        let planes = pixels.saturatingPlus(tilePixels).saturatingTimes(halvesOfPlanes) / 2
        let colors = pixels.saturatingTimes(3 + alpha)
        let isSubsampled = halvesOfChroma == 1 || halvesOfChroma == 2
        let fullChroma = isSubsampled ? pixels.saturatingTimes(2) : 0
        return planes.saturatingPlus(colors).saturatingPlus(fullChroma).saturatingTimes(bytesPerSample)
            .saturatingPlus(base)
    }

    /// A strip, or a row of tiles, twice: as read and as handed on.
    static func tiff(pieceBytes: Int) -> Int {
        pieceBytes.saturatingTimes(2).saturatingPlus(base)
    }
}
