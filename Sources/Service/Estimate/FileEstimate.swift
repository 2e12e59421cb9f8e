public import AttachmentRules

/// What a phone would need for one file, as it is and after mediaprep; nothing of it was decoded.
public struct FileEstimate: Encodable, Sendable {
    /// The path as given, percent-escaped where it is not UTF-8.
    public var file: String
    /// Length, in bytes.
    public var bytes: Int?
    public var mediaType: MediaType?
    public var family: MediaType.Family?
    /// Stored width, in pixels, before any rotation.
    public var width: Int?
    /// Stored height, in pixels, before any rotation.
    public var height: Int?
    /// As an EXIF orientation, 1 to 8.
    public var orientation: Int?
    /// True when the file has all that its structure tells of.
    public var isComplete: Bool?
    /// Whose recipe and budgets were used.
    public var profile: String
    /// What the extension's process is assumed to use before, in bytes.
    public var baseBytes: Int
    public var asIs: Need?
    public var after: Need?
    /// Why mediaprep would refuse the file, so that there is no after.
    public var refusal: String?
    /// Why there is no estimate at all.
    public var failure: String?

    init(file: String, profile: String, baseBytes: Int) {
        self.file = file
        self.profile = profile
        self.baseBytes = baseBytes
    }

    enum CodingKeys: String, CodingKey {
        case file, bytes
        case mediaType = "media_type"
        case family
        case width = "width_px"
        case height = "height_px"
        case orientation
        case isComplete = "is_complete"
        case profile
        case baseBytes = "base_bytes"
        case asIs = "as_is"
        case after, refusal
        case failure = "error"
    }

    /// What one file needs.
    public struct Need: Encodable, Sendable {
        /// Length of the file, in bytes; of a result that is not made yet, the most that it may have.
        public var fileBytes: Int
        public var picture: Picture?
        /// What the extension uses that attaches a sound or a film, by what it does with it, in bytes.
        public var attaching: [String: Int]?

        enum CodingKeys: String, CodingKey {
            case fileBytes = "file_bytes"
            case picture
            case attaching = "peaks"
        }
    }

    /// A decoded picture's memory, all frames counted.
    public struct Picture: Encodable, Sendable {
        /// Upright, in pixels.
        public var width: Int
        public var height: Int
        public var bitsPerComponent: Int
        public var frames: Int
        public var memory: Manifest.Memory
        /// Height / width, four places.
        public var contentSizeRatio: Double
        /// How high the card of a content extension is at most, by the width of the screen.
        public var cards: [CardGeometry]

        enum CodingKeys: String, CodingKey {
            case width = "width_px"
            case height = "height_px"
            case bitsPerComponent = "bits_per_component"
            case frames, memory
            case contentSizeRatio = "content_size_ratio"
            case cards
        }
    }
}
