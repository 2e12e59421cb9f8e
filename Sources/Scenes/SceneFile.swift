public import Vips

/// How a scene is to be stored in a file.
public struct SceneFile: Sendable {
    public var format: Format
    public var colors = Colors.sRGB
    /// An alpha band that is clear in the left tenth, opaque in the right half, and rises between.
    public var hasAlpha = false
    /// The EXIF orientation, 1 to 8, that the file carries; the pixels are stored so that it turns them upright.
    public var orientation = 1
    /// Make, model and date of an invented camera.
    public var hasCamera = false
    /// An invented place.
    public var hasGPS = false

    public init(_ format: Format) {
        self.format = format
    }

    /// A file format and how its encoder is set.
    public enum Format: Sendable {
        case jpeg(quality: Int = 90, progressive: Bool = false)
        /// `bits` is 1, 2, 4, 8 or 16; below 8 only for grey or with `palette`.
        case png(bits: Int = 8, palette: Bool = false, interlaced: Bool = false)
        case gif
        case webp(quality: Int = 90, lossless: Bool = false)
        case tiff
        case heic(quality: Int = 80)
        case avif(quality: Int = 80)

        var vips: VipsImage.Format {
            switch self {
            case .jpeg(let quality, let progressive): .jpeg(quality: quality, progressive: progressive)
            case .png(let bits, let palette, let interlaced):
                .png(bits: bits, palette: palette, interlaced: interlaced)
            case .gif: .gif
            case .webp(let quality, let lossless): .webp(quality: quality, lossless: lossless)
            case .tiff: .tiff
            case .heic(let quality): .heic(quality: quality)
            case .avif(let quality): .avif(quality: quality)
            }
        }
    }

    /// What the samples mean.
    public enum Colors: Sendable {
        case sRGB
        /// Display P3 with its profile.
        case displayP3
        /// One band, no profile.
        case gray
        /// Libvips's built-in press profile, embedded.
        case cmyk
        /// 16 bits a component (PNG, TIFF).
        case rgb16
        case gray16
        /// CIE Lab (TIFF).
        case lab
    }
}

extension Scene {
    /// The scene as a file's bytes.
    ///
    /// - Throws: when libvips cannot write the format with these options, or was built without its encoder.
    public func file(_ options: SceneFile) throws(VipsError) -> [UInt8] {
        var image = try image()
        switch options.colors {
        case .sRGB: break
        case .displayP3: image = try image.converted(toBuiltIn: "p3")
        case .gray: image = try image.converted(to: .gray)
        case .cmyk: image = try image.converted(toBuiltIn: "cmyk")
        case .rgb16: image = try image.converted(to: .rgb16)
        case .gray16: image = try image.converted(to: .gray16)
        case .lab: image = try image.converted(to: .lab)
        }
        if options.hasAlpha { image = try image.joined(with: alpha(like: image)) }
        image = try image.stored(options.orientation).inMemory()
        let block = ExifBlock(
            orientation: options.orientation, hasCamera: options.hasCamera, hasGPS: options.hasGPS)
        let needsExif = options.orientation != 1 || options.hasCamera || options.hasGPS
        switch options.format {
        case _ where !needsExif:
            return try image.encoded(as: options.format.vips)
        case .jpeg:
            return Splice.exif(block, intoJPEG: try image.encoded(as: options.format.vips))
        case .png:
            return Splice.exif(block, intoPNG: try image.encoded(as: options.format.vips))
        case .webp:
            return Splice.exif(
                block, intoWebP: try image.encoded(as: options.format.vips), width: image.width, height: image.height)
        case .tiff, .gif, .heic, .avif:
            image.setOrientation(options.orientation)
            return try image.encoded(as: options.format.vips)
        }
    }

    /// Several scenes, each with the next seed, one after the other in one file: an animation or a stack of pages.
    public func frames(_ count: Int, as format: SceneFile.Format) throws(VipsError) -> [UInt8] {
        var stack = try image()
        for frame in 1..<count {
            let next = Scene(width: width, height: height, seed: seed + frame, detail: detail)
            stack = try stack.stacked(on: next.image())
        }
        let whole = try stack.inMemory()
        whole.setFrameHeight(height)
        return try whole.encoded(as: format.vips)
    }

    /// The alpha band, in samples as wide as the picture's.
    private func alpha(like image: VipsImage) throws(VipsError) -> VipsImage {
        let row = UnsafeMutableRawBufferPointer.allocate(byteCount: width * height, alignment: 1)
        defer { row.deallocate() }
        for x in 0..<width {
            let place = Double(x) / Double(width)
            row[x] = UInt8(min(max((place - 0.1) / 0.4, 0), 1) * 255)
        }
        for y in 1..<height {
            (row.baseAddress.unsafelyUnwrapped + y * width)
                .copyMemory(from: row.baseAddress.unsafelyUnwrapped, byteCount: width)
        }
        let bytes = try VipsImage.over(UnsafeRawBufferPointer(row), width: width, height: height, space: .gray)
        return try image.isBytes ? bytes.inMemory() : bytes.multiplied(by: 257).cast(like: image).inMemory()
    }
}

extension VipsImage {
    /// The pixels as a camera stores them that was held so that this orientation turns them upright.
    fileprivate func stored(_ orientation: Int) throws(VipsError) -> VipsImage {
        switch orientation {
        case 2: try mirrored()
        case 3: try turned(quarters: 2)
        case 4: try turned(quarters: 2).mirrored()
        case 5: try turned(quarters: 1).mirrored()
        case 6: try turned(quarters: 3)
        case 7: try turned(quarters: 3).mirrored()
        case 8: try turned(quarters: 1)
        default: self
        }
    }
}
