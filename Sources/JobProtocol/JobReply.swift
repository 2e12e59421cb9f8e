public import AttachmentRules

/// The worker's answer to one `JobRequest`: a JSON datagram without descriptors.
public struct JobReply: Codable, Sendable {
    /// The request's own id.
    public var id: UInt64
    public var outcome: Outcome
    /// What the image library said meanwhile, in its own words: at most `mostRemarks` of at most `longestRemark` bytes.
    public var remarks: [String]

    public init(id: UInt64, outcome: Outcome, remarks: [String] = []) {
        self.id = id
        self.outcome = outcome
        self.remarks = remarks
    }

    /// Of a sound or film: 100 days, more than a file of 64 MiB can hold.
    public static let longestMilliseconds = 10_000_000_000

    public static let mostRemarks = 4
    public static let longestRemark = 200

    public enum Outcome: Codable, Sendable {
        case planned(SourceFacts, PlannedSize)
        case rendered(SourceFacts, Rendition)
        /// It decodes completely; with its size when upright.
        case checked(SourceFacts, PlannedSize)
        /// With the length of the still picture, in bytes; 0 where there is none.
        case clip(ClipFacts, posterBytes: Int)
        case refused(Rejection)
    }
}

/// What only the decoder side can tell of a source.
public struct SourceFacts: Codable, Equatable, Sendable {
    /// The EXIF orientation that was applied, 1 to 8; 1 where the container rotates by itself.
    public var orientation = 1
    public var hasGPS = false
    public var hasCamera = false
    public var hasDate = false
    /// An EXIF block with anything in it, MakerNotes apart.
    public var hasEXIF = false
    /// True when nobody has to convert the colours: grey or RGB, without a usable profile or with one that is sRGB.
    public var isSRGB = true
    /// Description of the embedded colour profile, at most 80 characters, if there is one.
    public var colorProfile: String?
    public var notes: [Note] = []

    public init() {}
}

/// The facts of one result that was written and decoded once more.
public struct Rendition: Codable, Equatable, Sendable {
    public var size: PlannedSize
    /// Length of the result, in bytes.
    public var bytes: Int
    /// The Q that was used.
    public var quality: Int
    public var isProgressive: Bool
    /// Encodes that were made to find `quality`.
    public var attempts: Int
    /// Why quality or size is what it is.
    public var reason: Reason
    /// libvips's version.
    public var libvips: String
    /// Where the square of the short edge's length begins along the long edge that shows most of what people look at,
    /// in pixels; nil where attention says nothing, and for a square.
    public var focus: Int?
    /// The proof that was asked for.
    public var proof: Proof?

    public init(
        size: PlannedSize, bytes: Int, quality: Int, isProgressive: Bool, attempts: Int, reason: Reason,
        libvips: String
    ) {
        self.size = size
        self.bytes = bytes
        self.quality = quality
        self.isProgressive = isProgressive
        self.attempts = attempts
        self.reason = reason
        self.libvips = libvips
    }

    public enum Reason: String, Codable, Sendable {
        /// The asked quality fits.
        case asAsked = "as-asked"
        /// The highest lower quality that fits.
        case qualityLowered = "quality-lowered"
        /// Not even the quality floor fitted at the planned size.
        case pixelsLowered = "pixels-lowered"
    }

    /// What the next higher quality would have cost, from an encode of its own.
    public struct Proof: Codable, Equatable, Sendable {
        public var quality: Int
        public var bytes: Int

        public init(quality: Int, bytes: Int) {
            self.quality = quality
            self.bytes = bytes
        }
    }
}
