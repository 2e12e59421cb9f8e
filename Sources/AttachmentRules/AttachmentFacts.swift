/// All that is known of one file that is to be attached: what the validator judges.
public struct AttachmentFacts: Equatable, Sendable {
    /// What the name ends in after its last dot, as it is spelt; nil without a dot.
    public var fileExtension: String?
    /// The type hint that goes with it, if any.
    public var typeHint: String?
    /// Length, in bytes.
    public var bytes: Int
    /// By content; nil when no known signature fits.
    public var mediaType: MediaType?
    public var picture: Picture?
    public var clip: ClipFacts?
    /// Why it does not decode completely; nil when it does, or when it was not tried.
    public var failure: Rejection?
    /// Whether the file is what mediaprep made, or what was handed in.
    public var subject = Finding.Subject.source

    public init(bytes: Int, mediaType: MediaType?) {
        self.bytes = bytes
        self.mediaType = mediaType
    }

    /// A picture's own facts.
    public struct Picture: Equatable, Sendable {
        /// Upright, in pixels.
        public var width: Int
        public var height: Int
        public var bitsPerComponent = 8
        public var frames = 1
        /// The EXIF orientation, 1 to 8.
        public var orientation = 1
        /// True for grey or RGB that needs no conversion: no profile, or one that is sRGB.
        public var isSRGB = true
        /// The embedded profile's description, or the colour model where that is neither grey nor RGB.
        public var colorName: String?
        public var hasGPS = false
        /// An EXIF block with anything in it.
        public var hasEXIF = false

        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }
}
