internal import AttachmentRules
internal import Vips

/// The last step: the result, decoded once more and strictly, must be the picture that was rendered.
enum Verify {
    /// - Parameters:
    ///   - quality: the Q of the result, which says how far a mean may be off.
    ///   - pixels: what was encoded.
    static func check(
        _ result: UnsafeRawBufferPointer, quality: Int, against pixels: borrowing Pixels
    ) throws(Rejection) {
        let warnings = Vips.warningsOnThisThread
        let shrink = min(pixels.width, pixels.height) >= 16 * eighth ? eighth : 1
        let decoded = try means(of: result, width: pixels.width, height: pixels.height, shrink: shrink)
        guard Vips.warningsOnThisThread == warnings else { throw failed("its decoder warns") }
        var rendered = BlockMeans(width: pixels.width, height: pixels.height, shrink: shrink)
        for y in 0..<pixels.height {
            rendered.add(row: y, pixels.row(y), scale: shrink)
        }
        let distance = decoded.distance(to: rendered)
        let tolerance = tolerance(quality: quality, cellEdge: rendered.cellEdge)
        guard distance.luma <= tolerance, distance.channel <= (shrink == 1 ? clippedChroma : tolerance) else {
            throw failed("its colours are off by \(Int(max(distance.luma, distance.channel).rounded())) of 255")
        }
    }

    /// Steps of 255 that the mean of one channel may be off where the result is decoded at full size.
    ///
    /// Chroma at half size, put back on pixels that alternate between white and pure blue, leaves the colour range and is
    /// clipped: measured up to 41 with a good encoder. What is seen, the luma, hardly moves.
    private static let clippedChroma = 64.0

    /// The size that the result is decoded to, where it is large enough for a grid of it.
    ///
    /// Every coefficient is still read, so damage shows as at full size; what is compared are means, and those are what
    /// is left at this size. It takes 2.4 ms instead of 3.9 for a picture of 800x600 pixels.
    private static let eighth = 8

    /// Steps of 255 that a cell's mean may be off.
    ///
    /// 4 for rounding and clipping. Chroma at half size bleeds a pixel over each edge, and what bleeds out of the
    /// colour range is clipped: that moves the mean the more the smaller the cell is. And half a step of the chroma
    /// quantiser at frequency zero, 17/8 at scale 100, which weighs 1.8 in blue.
    static func tolerance(quality: Int, cellEdge: Int) -> Double {
        let bleeding = 160 / Double(cellEdge)
        let quantising = min(17 * BudgetSearch.scale(quality) / 100, 255) / 8 / 2 * 1.8
        return 4 + bleeding + quantising
    }

    /// Decodes a result whose header is as it has to be.
    private static func means(
        of result: UnsafeRawBufferPointer, width: Int, height: Int, shrink: Int
    ) throws(Rejection) -> BlockMeans {
        var means = BlockMeans(width: width, height: height, shrink: shrink)
        do throws(VipsError) {
            let header = try VipsImage.load(.jpeg, result)
            guard (header.width, header.height) == (width, height) else {
                throw VipsError(detail: "its size is \(header.width)x\(header.height)")
            }
            let image = shrink == 1 ? header : try VipsImage.load(.jpeg, result, shrink: shrink)
            guard image.isBytes, image.bands == 3, image.space == .sRGB else {
                throw VipsError(detail: "it is not 8-bit RGB")
            }
            if let field = image.fields.first(where: metadata.contains) {
                throw VipsError(detail: "it carries \(field)")
            }
            try image.forEachStrip { top, rows, samples, stride in
                for row in 0..<rows {
                    means.add(row: top + row, (samples + row * stride).assumingMemoryBound(to: UInt8.self), scale: 1)
                }
            }
        } catch {
            throw failed(error.detail)
        }
        return means
    }

    /// libvips's header fields for what must not be in a result.
    private static let metadata: Set<String> = [
        "exif-data", "xmp-data", "iptc-data", "icc-profile-data", "photoshop-data",
    ]

    private static func failed(_ detail: String) -> Rejection {
        Rejection(
            .verifyFailed, rule: .doesNotDecode, stage: .verify,
            "The result was decoded once more and is not right: \(detail).")
    }
}
