internal import CVips

/// One picture of libvips: its header, and pixels that are computed when somebody asks for them.
///
/// Not to be shared between threads. Memory that was handed to `load` or `init(pixels:)` must stay valid and unchanged
/// as long as this value, and every picture made from it, lives: nothing is copied.
public final class VipsImage {
    let pointer: UnsafeMutablePointer<CVips.VipsImage>

    /// Takes over one reference.
    init(owning pointer: UnsafeMutablePointer<CVips.VipsImage>) {
        self.pointer = pointer
    }

    deinit {
        shim_unref(pointer)
    }

    /// In pixels.
    public var width: Int { Int(vips_image_get_width(pointer)) }
    /// In pixels.
    public var height: Int { Int(vips_image_get_height(pointer)) }
    /// Samples a pixel, alpha included.
    public var bands: Int { Int(vips_image_get_bands(pointer)) }
    /// True for 8-bit unsigned samples that are not packed.
    public var isBytes: Bool { vips_image_get_format(pointer) == VIPS_FORMAT_UCHAR && !isPacked }
    /// True when several samples share bytes, as 8-bit Lab does in libvips.
    public var isPacked: Bool { vips_image_get_coding(pointer) != VIPS_CODING_NONE }
    /// What the samples mean.
    public var space: ColorSpace { ColorSpace(vips_image_get_interpretation(pointer)) }
    /// True when the last band is transparency.
    public var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

    /// Names of every header field, metadata among them.
    public var fields: [String] {
        guard let names = vips_image_get_fields(pointer) else { return [] }
        defer { g_strfreev(names) }
        var result: [String] = []
        var next = names
        while let name = next.pointee {
            result.append(String(cString: name))
            next += 1
        }
        return result
    }

    /// The orientation that a header field carries, 1 to 8; 1 when there is none.
    public var orientation: Int { Int(vips_image_get_orientation(pointer)) }

    /// Bytes of a metadata field, copied; nil when there is none.
    public func blob(_ name: String) -> [UInt8]? {
        guard vips_image_get_typeof(pointer, name) != 0 else { return nil }
        var start: UnsafeRawPointer?
        var length = 0
        guard vips_image_get_blob(pointer, name, &start, &length) == 0, let start else {
            vips_error_clear()
            return nil
        }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: length))
    }

    /// Runs one call of libvips that makes a picture.
    static func made(
        _ call: (UnsafeMutablePointer<UnsafeMutablePointer<CVips.VipsImage>?>) -> CInt
    ) throws(VipsError) -> VipsImage {
        var out: UnsafeMutablePointer<CVips.VipsImage>?
        guard call(&out) == 0, let out else { throw VipsError.taken() }
        return VipsImage(owning: out)
    }

    /// What the samples of a picture mean, as far as we tell it apart.
    public enum ColorSpace: Equatable, Sendable {
        case gray, sRGB, gray16, rgb16, cmyk, lab, labs, other

        init(_ interpretation: VipsInterpretation) {
            switch interpretation {
            case VIPS_INTERPRETATION_B_W: self = .gray
            case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB: self = .sRGB
            case VIPS_INTERPRETATION_GREY16: self = .gray16
            case VIPS_INTERPRETATION_RGB16: self = .rgb16
            case VIPS_INTERPRETATION_CMYK: self = .cmyk
            case VIPS_INTERPRETATION_LAB: self = .lab
            case VIPS_INTERPRETATION_LABS: self = .labs
            default: self = .other
            }
        }

        var interpretation: VipsInterpretation {
            switch self {
            case .gray: VIPS_INTERPRETATION_B_W
            case .sRGB: VIPS_INTERPRETATION_sRGB
            case .gray16: VIPS_INTERPRETATION_GREY16
            case .rgb16: VIPS_INTERPRETATION_RGB16
            case .cmyk: VIPS_INTERPRETATION_CMYK
            case .lab: VIPS_INTERPRETATION_LAB
            case .labs: VIPS_INTERPRETATION_LABS
            case .other: VIPS_INTERPRETATION_MULTIBAND
            }
        }
    }
}
