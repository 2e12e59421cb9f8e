internal import CVips

// What tests make pictures with and compare with; the pipeline itself uses none of it.
extension VipsImage {
    /// One band of normally distributed noise around 0, always the same for one seed.
    ///
    /// - Parameters:
    ///   - sigma: standard deviation, in steps of 255.
    public static func noise(width: Int, height: Int, sigma: Double, seed: Int) throws(VipsError) -> VipsImage {
        try made { shim_gaussnoise($0, CInt(width), CInt(height), sigma, CInt(seed)) }
    }

    /// Adds another picture's samples; a single band is added to every band.
    public func adding(_ other: VipsImage) throws(VipsError) -> VipsImage {
        try Self.made { shim_add(pointer, other.pointer, $0) }
    }

    /// Multiplies every sample.
    public func multiplied(by factor: Double) throws(VipsError) -> VipsImage {
        try Self.made { shim_linear1(pointer, $0, factor, 0) }
    }

    /// A part of the picture.
    public func cropped(left: Int, top: Int, width: Int, height: Int) throws(VipsError) -> VipsImage {
        try Self.made { shim_extract_area(pointer, $0, CInt(left), CInt(top), CInt(width), CInt(height)) }
    }

    /// This picture above another one of the same width.
    public func stacked(on other: VipsImage) throws(VipsError) -> VipsImage {
        try Self.made { shim_join_down(pointer, other.pointer, $0) }
    }

    /// Turned clockwise by that many quarters, 1 to 3.
    public func turned(quarters: Int) throws(VipsError) -> VipsImage {
        try Self.made { shim_rot(pointer, $0, VipsAngle(UInt32(quarters))) }
    }

    /// Left and right exchanged.
    public func mirrored() throws(VipsError) -> VipsImage {
        try Self.made { shim_flip(pointer, $0) }
    }

    /// Says that the picture is a stack of frames of this height, as an animation is.
    public func setFrameHeight(_ height: Int) {
        vips_image_set_int(pointer, "page-height", CInt(height))
    }

    /// Says how the picture is to be turned, 1 to 8, in the header field that savers write.
    public func setOrientation(_ orientation: Int) {
        vips_image_set_int(pointer, "orientation", CInt(orientation))
    }

    /// Converts from libvips's built-in sRGB to another of its built-in profiles (`p3` or `cmyk`) and embeds that.
    public func converted(toBuiltIn profile: String) throws(VipsError) -> VipsImage {
        try Self.made { shim_icc_from_named(pointer, $0, "srgb", profile) }
    }

    /// Grey without changing the space's own arithmetic: 16-bit samples for `gray16` and `rgb16`, floats for `lab`.
    public func converted(to space: ColorSpace) throws(VipsError) -> VipsImage {
        try Self.made { shim_colourspace(pointer, $0, space.interpretation) }
    }

    /// Where people look first, by libvips's own measure (edges, skin, saturated colours), in pixels.
    ///
    /// - Parameters:
    ///   - width: of the part that is to be cropped out, in pixels.
    ///   - height: likewise.
    public func attention(width: Int, height: Int) throws(VipsError) -> (x: Int, y: Int) {
        var x: CInt = 0
        var y: CInt = 0
        guard shim_attention(pointer, CInt(width), CInt(height), &x, &y) == 0 else { throw VipsError.taken() }
        return (Int(x), Int(y))
    }

    /// Encodes as a given file format, with the embedded profile if there is one, for test pictures.
    public func encoded(as format: Format) throws(VipsError) -> [UInt8] {
        // Left alone, libvips puts an EXIF block of its own into every JPEG and WebP.
        let strip: gboolean = vips_image_get_typeof(pointer, "icc-profile-data") == 0 ? 1 : 0
        return try Self.saved { data, length in
            switch format {
            case .jpeg(let quality, let progressive):
                shim_jpegsave(pointer, CInt(quality), progressive ? 1 : 0, strip, data, length)
            case .png(let bits, let palette, let interlaced):
                shim_pngsave(pointer, CInt(bits), palette ? 1 : 0, interlaced ? 1 : 0, data, length)
            case .gif: shim_gifsave(pointer, data, length)
            case .webp(let quality, let lossless):
                shim_webpsave(pointer, CInt(quality), lossless ? 1 : 0, strip, data, length)
            case .tiff: shim_tiffsave(pointer, VIPS_FOREIGN_TIFF_COMPRESSION_LZW, data, length)
            case .heic(let quality):
                shim_heifsave(pointer, CInt(quality), VIPS_FOREIGN_HEIF_COMPRESSION_HEVC, data, length)
            case .avif(let quality):
                shim_heifsave(pointer, CInt(quality), VIPS_FOREIGN_HEIF_COMPRESSION_AV1, data, length)
            }
        }.withBytes { [UInt8]($0) }
    }

    /// A file format and how its encoder is set.
    public enum Format: Sendable {
        case jpeg(quality: Int, progressive: Bool)
        /// `bits` is 1, 2, 4, 8 or 16.
        case png(bits: Int, palette: Bool, interlaced: Bool)
        case gif
        case webp(quality: Int, lossless: Bool)
        case tiff
        case heic(quality: Int)
        case avif(quality: Int)
    }
}
