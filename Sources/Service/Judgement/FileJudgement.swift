public import AttachmentRules

/// What the rules say of one file, and what it was judged by.
public struct FileJudgement: Encodable, Sendable {
    /// The path as given, percent-escaped where it is not UTF-8.
    public var file: String
    /// Whose rules count.
    public var profile: String
    public var bytes: Int?
    public var mediaType: MediaType?
    /// What the name ends in after its last dot, as it is spelt.
    public var fileExtension: String?
    public var typeHint: String?
    public var picture: Picture?
    public var clip: ClipFacts?
    /// True when all of it was decoded; nil where nothing was tried.
    public var isDecoded: Bool?
    public var findings: [Finding] = []

    init(file: String, profile: String) {
        self.file = file
        self.profile = profile
    }

    /// The worst of the findings.
    public var worst: Severity? { findings.map(\.severity).max() }

    /// A picture's facts and what a phone needs for it.
    public struct Picture: Encodable, Sendable {
        /// Upright, in pixels.
        public var width: Int
        public var height: Int
        public var bitsPerComponent: Int
        public var frames: Int
        public var orientation: Int
        public var isSRGB: Bool
        public var colorProfile: String?
        public var hasGPS: Bool
        public var hasEXIF: Bool
        public var memory: Manifest.Memory

        enum CodingKeys: String, CodingKey {
            case width = "width_px"
            case height = "height_px"
            case bitsPerComponent = "bits_per_component"
            case frames, orientation
            case isSRGB = "is_srgb"
            case colorProfile = "color_profile"
            case hasGPS = "has_gps"
            case hasEXIF = "has_exif"
            case memory
        }
    }

    enum CodingKeys: String, CodingKey {
        case file, verdict, profile, bytes
        case mediaType = "media_type"
        case fileExtension = "extension"
        case typeHint = "type_hint"
        case picture, clip
        case isDecoded = "is_decoded"
        case findings
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try container.encode(worst?.rawValue ?? "ok", forKey: .verdict)
        try container.encode(profile, forKey: .profile)
        try container.encodeIfPresent(bytes, forKey: .bytes)
        try container.encodeIfPresent(mediaType, forKey: .mediaType)
        try container.encodeIfPresent(fileExtension, forKey: .fileExtension)
        try container.encodeIfPresent(typeHint, forKey: .typeHint)
        try container.encodeIfPresent(picture, forKey: .picture)
        try container.encodeIfPresent(clip, forKey: .clip)
        try container.encodeIfPresent(isDecoded, forKey: .isDecoded)
        try container.encode(findings, forKey: .findings)
    }
}
