internal import CVips

// The pixel operations that the pipeline needs; each makes a new picture and computes nothing yet.
extension VipsImage {
    /// Lays the picture on an opaque colour and drops its alpha band.
    ///
    /// - Parameters:
    ///   - background: one value per colour band, in the picture's own units.
    ///   - opaque: the alpha of an opaque pixel, 255 for 8-bit samples.
    public func flattened(on background: [Double], opaque: Double) throws(VipsError) -> VipsImage {
        guard let array = vips_array_double_new(background, CInt(background.count)) else { throw VipsError.taken() }
        defer { vips_area_unref(UnsafeMutableRawPointer(array).assumingMemoryBound(to: VipsArea.self)) }
        return try Self.made { shim_flatten(pointer, $0, array, opaque) }
    }

    /// Multiplies the colours by alpha, so that invisible colours do not bleed when the picture is resized.
    public func premultiplied() throws(VipsError) -> VipsImage {
        try Self.made { shim_premultiply(pointer, $0) }
    }

    /// Undoes `premultiplied`.
    public func unpremultiplied() throws(VipsError) -> VipsImage {
        try Self.made { shim_unpremultiply(pointer, $0) }
    }

    /// Resizes with Lanczos3 by a factor for each axis.
    public func resized(by scale: Double, vertically vscale: Double) throws(VipsError) -> VipsImage {
        try Self.made { shim_resize(pointer, $0, scale, vscale) }
    }

    /// Converts to 8-bit sRGB by libvips's own arithmetic, from any space it knows without a profile.
    public func convertedToSRGB() throws(VipsError) -> VipsImage {
        let converted = try Self.made { shim_colourspace(pointer, $0, VIPS_INTERPRETATION_sRGB) }
        return try converted.castToBytes()
    }

    /// Converts to sRGB from the profile that the picture carries; fails when that is broken or of another kind.
    ///
    /// libvips itself would then take its built-in profile and only warn.
    public func convertedFromEmbeddedProfile() throws(VipsError) -> VipsImage {
        let warnings = Vips.warningsOnThisThread
        let result = try Self.made { shim_icc_from_embedded(pointer, $0, "srgb") }
        guard Vips.warningsOnThisThread == warnings else { throw VipsError(detail: "the profile is unusable") }
        return result
    }

    /// Converts CMYK without a usable profile to sRGB through libvips's built-in press profile.
    public func convertedFromBuiltInCMYK() throws(VipsError) -> VipsImage {
        try Self.made { shim_icc_from_named(pointer, $0, "cmyk", "srgb") }
    }

    /// Says what the samples mean without touching them.
    public func declared(_ space: ColorSpace) throws(VipsError) -> VipsImage {
        try Self.made { shim_copy_as(pointer, $0, space.interpretation) }
    }

    /// Clips to 8-bit samples.
    public func castToBytes() throws(VipsError) -> VipsImage {
        try Self.made { shim_cast(pointer, $0, VIPS_FORMAT_UCHAR) }
    }

    /// Gives samples their original width back after `premultiplied` made them floating-point numbers.
    public func cast(like original: VipsImage) throws(VipsError) -> VipsImage {
        try Self.made { shim_cast(pointer, $0, vips_image_get_format(original.pointer)) }
    }

    /// Scales a single band of transparency to 0...255.
    ///
    /// - Parameters:
    ///   - picture: where the band comes from; its samples tell what is opaque.
    public func alphaAsBytes(of picture: VipsImage) throws(VipsError) -> VipsImage {
        let opaque = vips_image_get_format(picture.pointer) == VIPS_FORMAT_USHORT ? 65_535.0 : 255.0
        return try Self.made { shim_linear1(pointer, $0, 255 / opaque, 0) }.castToBytes()
    }

    /// Computes every pixel now and keeps them, so that they can be read more than once and in any order.
    public func inMemory() throws(VipsError) -> VipsImage {
        guard let copy = vips_image_copy_memory(pointer) else { throw VipsError.taken() }
        return VipsImage(owning: copy)
    }

    /// Some of the bands.
    public func bands(_ range: Range<Int>) throws(VipsError) -> VipsImage {
        try Self.made { shim_extract_bands(pointer, $0, CInt(range.lowerBound), CInt(range.count)) }
    }

    /// This picture's bands, then another's.
    public func joined(with other: VipsImage) throws(VipsError) -> VipsImage {
        try Self.made { shim_bandjoin2(pointer, other.pointer, $0) }
    }
}
