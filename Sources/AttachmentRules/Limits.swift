/// Every bound that decides whether a source may reach a decoder, in one value.
///
/// The figures follow the cost of a file, not a round number: they come from measurements of hostile files
/// against libvips 8.14.1 (a 3.5 MB PNG took 27 s and 643 MB, 50 zTXt chunks more than 40 s).
public struct Limits: Equatable, Sendable {
    /// Largest source file, in bytes.
    public var fileBytes = 64 << 20
    /// Most pixels of a JPEG, which shrinks while it loads; a 200-megapixel phone photo must pass.
    public var shrinkOnLoadPixels = 268_435_456
    /// Most pixels of a format that is decoded whole.
    public var wholePixels = 100_000_000
    /// Most memory that decoding may need here, in bytes (`WorkingMemory`).
    public var workingMemory = 384_000_000
    /// Most frames or pages.
    public var frames = 10_000
    /// Most scans (SOS segments) of a JPEG.
    public var scans = 100
    /// Most marker segments of a JPEG.
    public var segments = 1_000
    /// Most bytes in the APPn and COM segments of a JPEG, or the profile, Exif, XMP and provenance chunks of a PNG.
    public var applicationBytes = 16 << 20
    /// Most chunks of a PNG or WebP, extensions of a GIF, and boxes of a HEIF.
    public var chunks = 20_000
    /// Most data sub-blocks of a GIF; encoders fill them to 255 bytes, one byte each would take 100 ms to step over.
    public var subBlocks = 4_000_000
    /// Most strips or tiles of a TIFF page; some scanners write one strip a row.
    public var strips = 1_000_000
    /// Most bytes in the other ancillary chunks of a PNG, animation frames apart.
    public var ancillaryBytes = 1 << 20
    /// Most bytes that a compressed ICC profile or text may inflate to.
    public var inflatedBytes = 4 << 20
    /// Most samples per pixel of a TIFF.
    public var samplesPerPixel = 5
    /// Most bits per sample.
    public var bitsPerSample = 16
    /// Most items of a HEIF.
    public var items = 1_000

    public init() {}
}
