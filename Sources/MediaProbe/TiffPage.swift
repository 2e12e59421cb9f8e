internal import AttachmentRules

/// What one page of a TIFF holds and how it is cut into strips or tiles.
struct TiffPage {
    let width: Int
    let height: Int
    let bits: Int
    let samples: Int
    let colorModel: MediaFacts.ColorModel
    let hasAlpha: Bool
    let isPlanar: Bool
    let isTiled: Bool

    private let compression: Int
    private let photometric: Int
    /// Sides of one strip or tile.
    private let pieceWidth: Int
    private let pieceHeight: Int

    init(_ directory: TiffDirectory, _ bytes: Span<UInt8>, limits: Limits) throws(Rejection) {
        guard let width = directory.value(TiffTag.imageWidth, bytes),
            let height = directory.value(TiffTag.imageLength, bytes)
        else { throw .malformed("The TIFF's first page has no width or height") }
        let most = Int(Int32.max)
        guard (1...most).contains(width), (1...most).contains(height) else {
            throw .malformed("The TIFF's sides are \(width) x \(height) pixels, outside 1 to \(most)")
        }
        self.width = width
        self.height = height
        samples = directory.value(TiffTag.samplesPerPixel, bytes) ?? 1
        guard samples > 0 else { throw .malformed("The TIFF has no samples") }
        guard samples <= limits.samplesPerPixel else {
            throw .unsupportedCoding("The TIFF has \(samples) samples per pixel, over \(limits.samplesPerPixel)")
        }
        bits = try Self.bits(directory, bytes, samples: samples, limits: limits)
        compression = directory.value(TiffTag.compression, bytes) ?? 1
        guard compression != 6 else { throw .unsupportedCoding("The TIFF uses the old form of JPEG compression") }
        photometric = directory.value(TiffTag.photometric, bytes) ?? (samples >= 3 ? 2 : 1)
        let colors: Int
        (colorModel, colors) = try Self.colors(photometric)
        guard samples >= colors else { throw .malformed("The TIFF has \(samples) samples for \(colors) colours") }
        hasAlpha = samples > colors
        isPlanar = samples > 1 && directory.value(TiffTag.planarConfiguration, bytes) == 2
        isTiled = directory.field(TiffTag.tileWidth, bytes) != nil
        guard !(isTiled && isPlanar) else { throw .unsupportedCoding("The TIFF has tiles in separate planes") }
        if isTiled {
            pieceWidth = directory.value(TiffTag.tileWidth, bytes) ?? 0
            pieceHeight = directory.value(TiffTag.tileLength, bytes) ?? 0
        } else {
            pieceWidth = width
            pieceHeight = min(directory.value(TiffTag.rowsPerStrip, bytes) ?? height, height)
        }
        guard (1...most).contains(pieceWidth), (1...most).contains(pieceHeight) else {
            throw .malformed("The TIFF's strips or tiles have no size")
        }
    }

    private static func bits(
        _ directory: TiffDirectory, _ bytes: Span<UInt8>, samples: Int, limits: Limits
    ) throws(Rejection) -> Int {
        let field = directory.field(TiffTag.bitsPerSample, bytes)
        let bits = field?.value(0, directory.layout, bytes) ?? 1
        for index in 0..<min(samples, field?.count ?? 0)
        where field?.value(index, directory.layout, bytes) != bits {
            throw .unsupportedCoding("The TIFF's samples differ in their number of bits")
        }
        guard [1, 2, 4, 8, 16].contains(bits), bits <= limits.bitsPerSample else {
            throw .unsupportedCoding("The TIFF has \(bits) bits per sample")
        }
        // 1 unsigned, 2 signed, 4 undefined; 3, 5 and 6 are floating point and complex.
        let format = directory.value(TiffTag.sampleFormat, bytes) ?? 1
        guard [1, 2, 4].contains(format) else {
            throw .unsupportedCoding("The TIFF's samples are not whole numbers (format \(format))")
        }
        return bits
    }

    /// The colour model and its number of components; more samples are alpha.
    private static func colors(_ photometric: Int) throws(Rejection) -> (MediaFacts.ColorModel, Int) {
        switch photometric {
        case 0, 1: (.gray, 1)
        case 2: (.rgb, 3)
        case 3: (.palette, 1)
        case 5: (.cmyk, 4)
        case 6: (.ycbcr, 3)
        case 8, 9, 10: (.lab, 3)
        default: throw .unsupportedCoding("The TIFF's colours are of kind \(photometric)")
        }
    }

    private var columns: Int { width.dividedRoundingUp(by: pieceWidth) }
    private var rows: Int { height.dividedRoundingUp(by: pieceHeight) }

    /// Strips or tiles of the page.
    var pieces: Int { columns.saturatingTimes(rows).saturatingTimes(isPlanar ? samples : 1) }

    private var rowBytes: Int {
        pieceWidth.saturatingTimes(bits * (isPlanar ? 1 : samples)).dividedRoundingUp(by: 8)
    }

    /// Bytes that a decoder holds at once: one strip of every plane, or one row of tiles.
    var pieceRowBytes: Int {
        rowBytes.saturatingTimes(pieceHeight).saturatingTimes(isPlanar ? samples : 1)
            .saturatingTimes(isTiled ? columns : 1)
    }

    /// The fewest bytes of strip or tile `index`: known only when nothing is compressed or subsampled.
    private func fewestBytes(_ index: Int) -> Int {
        guard compression == 1, photometric != 6 else { return 1 }
        if isTiled { return rowBytes.saturatingTimes(pieceHeight) }
        let row = index % rows * pieceHeight
        return rowBytes.saturatingTimes(min(pieceHeight, height - row))
    }

    /// True when every strip or tile lies inside the file and is long enough.
    func isInside(_ directory: TiffDirectory, _ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> Bool {
        let offsets = directory.field(isTiled ? TiffTag.tileOffsets : TiffTag.stripOffsets, bytes)
        let counts = directory.field(isTiled ? TiffTag.tileByteCounts : TiffTag.stripByteCounts, bytes)
        guard let offsets else { throw .malformed("The TIFF's first page has no picture data") }
        guard offsets.count >= pieces else { return false }
        guard pieces <= limits.strips else { throw .tooManyParts("TIFF strips or tiles", limit: limits.strips) }
        for index in 0..<pieces {
            guard let offset = offsets.value(index, directory.layout, bytes) else { return false }
            var length = fewestBytes(index)
            if let counts {
                guard let count = counts.value(index, directory.layout, bytes) else { return false }
                // A single strip may leave its length at zero; readers then work it out as here.
                guard count >= length || (count == 0 && pieces == 1) else { return false }
                length = max(length, count)
            }
            guard offset >= 8, length <= bytes.count, offset <= bytes.count - length else { return false }
        }
        return true
    }
}
