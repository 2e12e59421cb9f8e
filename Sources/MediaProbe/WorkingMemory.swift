/// Estimates what decoding a picture takes here, in bytes.
///
/// Each formula counts what must be held at once for the way the format is coded, over a constant for the process.
/// Measured with libvips 8.14.1 on pictures of 12 to 24 megapixels, the peak is within a tenth for JPEG and PNG and
/// below the estimate for WebP and compressed TIFF. libheif copies between its steps: 1.3 times the estimate for a
/// phone's grid of tiles, up to twice for one large item. All products saturate.
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

    /// The canvas as RGB or RGBA; a lossless or alpha plane beside it (four bytes or one a pixel); and when animated
    /// the previous canvas and the frame.
    static func webp(width: Int, height: Int, isLossless: Bool, hasAlpha: Bool, isAnimated: Bool) -> Int {
        var bytesPerPixel = hasAlpha || isAnimated ? 4 : 3
        if isLossless { bytesPerPixel += 4 } else if hasAlpha { bytesPerPixel += 1 }
        if isAnimated { bytesPerPixel += 4 }
        return width.saturatingTimes(height).saturatingTimes(bytesPerPixel).saturatingPlus(base)
    }

    /// The Y, U and V planes of the whole picture, a plane for alpha, one tile more, and the RGB(A) made of them; two
    /// bytes a sample above 8 bits.
    ///
    /// - Parameter halvesOfChroma: samples of U and V together for two pixels (0 for grey, 1 for 4:2:0, 2 for 4:2:2,
    ///   4 for 4:4:4).
    static func heif(pixels: Int, tilePixels: Int, bits: Int, halvesOfChroma: Int, hasAlpha: Bool) -> Int {
        let bytesPerSample = bits > 8 ? 2 : 1
        let alpha = hasAlpha ? 1 : 0
        let halvesOfPlanes = 2 + halvesOfChroma + 2 * alpha
        let planes = pixels.saturatingPlus(tilePixels).saturatingTimes(halvesOfPlanes) / 2
        let colors = pixels.saturatingTimes(3 + alpha)
        return planes.saturatingPlus(colors).saturatingTimes(bytesPerSample).saturatingPlus(base)
    }

    /// A strip, or a row of tiles, twice: as read and as handed on.
    static func tiff(pieceBytes: Int) -> Int {
        pieceBytes.saturatingTimes(2).saturatingPlus(base)
    }
}
