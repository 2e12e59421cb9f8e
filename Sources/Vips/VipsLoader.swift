internal import CVips

/// The loaders that we call, each by its own name: libvips never gets to guess what a file is, and cannot call another.
///
/// Every one fails on warnings. Measured on the corpus: for JPEG nothing less notices data that ends early in front of
/// a complete end marker, for GIF nothing less notices damaged frames; PNG, WebP, HEIF and TIFF fail on missing data
/// in any case.
public enum VipsLoader: CaseIterable, Sendable {
    case jpeg, png, gif, webp, heif, tiff

    /// The only class of libvips that decodes it here, from memory.
    var className: String {
        switch self {
        case .jpeg: "VipsForeignLoadJpegBuffer"
        case .png: "VipsForeignLoadPngBuffer"
        case .gif: "VipsForeignLoadNsgifBuffer"
        case .webp: "VipsForeignLoadWebpBuffer"
        case .heif: "VipsForeignLoadHeifBuffer"
        case .tiff: "VipsForeignLoadTiffBuffer"
        }
    }

    /// Blocks every loader of libvips but these, also those that read the same formats from files.
    ///
    /// Call it when all modules are loaded: a class that comes later is not blocked.
    static func allowNoOthers() {
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in allCases { vips_operation_block_set(loader.className, 0) }
    }
}

extension VipsImage {
    /// Opens an encoded picture without copying it; reads the header, and the pixels when they are asked for, from top
    /// to bottom and once.
    ///
    /// - Parameters:
    ///   - shrink: 1, 2, 4 or 8: decode every this-many-th of the size, rounded down for JPEG and to the nearest for WebP; for
    ///     these two only.
    public static func load(
        _ loader: VipsLoader, _ source: UnsafeRawBufferPointer, shrink: Int = 1
    ) throws(VipsError) -> VipsImage {
        guard let start = source.baseAddress, !source.isEmpty else { throw VipsError(detail: "no data") }
        // Warnings leave text behind even where nothing failed: it must not show up in the next picture's error.
        vips_error_clear()
        return try made { out in
            switch loader {
            case .jpeg: shim_jpegload(start, source.count, CInt(shrink), out)
            case .png: shim_pngload(start, source.count, out)
            case .gif: shim_gifload(start, source.count, 0, 1, out)
            case .webp: shim_webpload(start, source.count, 1 / Double(shrink), out)
            case .heif: shim_heifload(start, source.count, out)
            case .tiff: shim_tiffload(start, source.count, out)
            }
        }
    }

    /// Opens some of a GIF's frames, one below the other; each is computed from those before it.
    public static func load(gif source: UnsafeRawBufferPointer, frames: Range<Int>) throws(VipsError) -> VipsImage {
        guard let start = source.baseAddress, !source.isEmpty else { throw VipsError(detail: "no data") }
        vips_error_clear()
        return try made { shim_gifload(start, source.count, CInt(frames.lowerBound), CInt(frames.count), $0) }
    }

    /// A picture over 8-bit samples in memory, row after row without gaps, without copying them.
    ///
    /// - Parameters:
    ///   - space: grey, sRGB, CMYK or Lab; decides how many samples a pixel has.
    ///   - profile: an ICC profile to embed.
    public static func over(
        _ pixels: UnsafeRawBufferPointer, width: Int, height: Int, space: ColorSpace, profile: [UInt8]? = nil
    ) throws(VipsError) -> VipsImage {
        let bands = pixels.count / (width * height)
        precondition(bands > 0 && pixels.count == width * height * bands)
        guard
            let start = pixels.baseAddress,
            let image = vips_image_new_from_memory(
                start, pixels.count, CInt(width), CInt(height), CInt(bands), VIPS_FORMAT_UCHAR)
        else { throw VipsError.taken() }
        let raw = VipsImage(owning: image)
        let result = try made { shim_copy_as(raw.pointer, $0, space.interpretation) }
        if let profile { result.set(blob: "icc-profile-data", profile) }
        return result
    }
}

extension VipsImage {
    /// Puts bytes into a metadata field; they are copied.
    public func set(blob name: String, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { vips_image_set_blob_copy(pointer, name, $0.baseAddress, $0.count) }
    }
}
