public import AttachmentRules

/// What a picture is, read from its structure alone.
public struct MediaFacts: Codable, Equatable, Sendable {
    /// The type by content.
    public var mediaType: MediaType
    /// Width as stored, in pixels: before any orientation. For HEIF the primary item's own `ispe`.
    public var width: Int
    /// Height as stored, in pixels.
    public var height: Int
    /// Frames or pages.
    public var frames = 1
    /// Bits per component as stored.
    public var bitsPerComponent = 8
    public var colorModel: ColorModel
    public var hasAlpha = false
    /// Progressive JPEG, interlaced PNG or GIF.
    public var isInterlaced = false
    /// False when the file ends before its own structure does.
    public var isComplete = true
    /// Bytes after the end of the picture.
    public var trailingBytes = 0
    /// Memory that decoding the first frame takes here, in bytes, estimated (`WorkingMemory`).
    public var workingMemory = 0
    /// Where the EXIF block lies in the file, if there is one: a TIFF structure without the `Exif\0\0` prefix.
    public var exif: Range<Int>?
    /// What a decoder is not shown: bytes between JPEG segments that belong to nothing, and the frames of a GIF after
    /// the first. In order, without overlap.
    public var hiddenBytes: [Range<Int>] = []
    /// Oddities that do not make the file worse.
    public var notes: [Note] = []

    public init(mediaType: MediaType, width: Int, height: Int, colorModel: ColorModel) {
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.colorModel = colorModel
    }

    /// How the stored samples are to be read.
    public enum ColorModel: String, Codable, Sendable {
        case gray, rgb, palette, ycbcr, cmyk, ycck, lab, other
    }
}
