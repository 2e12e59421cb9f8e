/// The outcome for one source: what was published, or why it was refused.
///
/// Sizes in bytes, lengths in pixels, ratios dimensionless, digests lower-case hex. What is not known is left out.
public struct Manifest: Codable, Equatable, Sendable {
    /// The form of this document.
    public static let schema = "mediaprep.manifest/1"

    public var schema = Manifest.schema
    /// The source's own name; bytes that are not UTF-8 are percent-escaped.
    public var name: String
    public var status: Status
    /// Fingerprint of the settings that the outcome depends on.
    public var recipe: String
    /// SHA-256 of the result.
    public var id: String?
    /// When the outcome was decided, RFC 3339, UTC.
    public var createdAt: String
    public var rejection: Rejection?
    public var source: Source
    public var output: Output?
    public var encoder: Encoder?
    public var memory: Memory?
    /// What an app hands to the system beside the file.
    public var attachment: AttachmentOptions?
    /// A still picture of a film, made as any picture is.
    public var poster: Output?
    /// Of what a service published: what a web server is to say of the result.
    public var http: ServedHeaders?
    /// What was measured of sound and films.
    public var clip: ClipFacts?
    /// What the rules of the profile in use say of the result.
    public var checks: [Finding]?
    /// What each profile says of the result: `ok`, or severity and rule, as in `error:SIZ003`.
    public var profiles: [String: String]?
    /// Of a notification group: the push that it is.
    public var push: Push?
    /// Of a notification group: the outcome of each attachment, in the order of the push.
    public var attachments: [Manifest]?
    /// Of a notification group: what its pictures take together.
    public var groupMemory: GroupMemory?
    /// Oddities of an accepted source.
    public var notes: [Note]?

    public init(
        name: String, status: Status, recipe: String, createdAt: String, source: Source
    ) {
        self.name = name
        self.status = status
        self.recipe = recipe
        self.createdAt = createdAt
        self.source = source
    }

    public enum Status: String, Codable, Sendable {
        case published, rejected
        /// A dry run would publish it.
        case planned
    }

    /// The members in the order in which a person reads them.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case schema, name, status, recipe, id
        case createdAt = "created_at"
        case rejection, source, output, encoder, memory, attachment, http, poster, clip, checks, profiles
        case push, attachments
        case groupMemory = "group_memory"
        case notes
    }

    /// What was handed in.
    public struct Source: Codable, Equatable, Sendable {
        public var name: String
        /// The path as given, percent-escaped where it is not UTF-8.
        public var path: String
        public var sha256: String?
        public var bytes: Int?
        public var mediaType: MediaType?
        /// Stored width, before any rotation.
        public var width: Int?
        /// Stored height, before any rotation.
        public var height: Int?
        /// The EXIF orientation that was applied, 1 to 8.
        public var orientation: Int?
        public var bitsPerComponent: Int?
        public var frames: Int?
        public var colorProfile: String?
        public var hasAlpha: Bool?
        /// Whether the source carried a position; never the position itself.
        public var hasGPS: Bool?
        public var hasCamera: Bool?
        public var hasDate: Bool?
        public var trailingBytes: Int?

        public init(name: String, path: String) {
            self.name = name
            self.path = path
        }

        enum CodingKeys: String, CodingKey {
            case name, path, sha256, bytes
            case mediaType = "media_type"
            case width = "width_px"
            case height = "height_px"
            case orientation
            case bitsPerComponent = "bits_per_component"
            case frames
            case colorProfile = "color_profile"
            case hasAlpha = "has_alpha"
            case hasGPS = "has_gps"
            case hasCamera = "has_camera"
            case hasDate = "has_date"
            case trailingBytes = "trailing_bytes"
        }
    }

    /// The picture that was made; of a dry run, only its size.
    public struct Output: Codable, Equatable, Sendable {
        /// The file's name, without a directory.
        public var file: String?
        /// The file's path below the output directory.
        public var path: String?
        /// Where receivers get it.
        public var url: String?
        public var sha256: String?
        public var bytes: Int?
        public var family = MediaType.Family.image
        public var mediaType = MediaType.jpeg
        public var uti = "public.jpeg"
        public var fileExtension = "jpg"
        /// In pixels; nil for sound, as all that follows but the duration.
        public var width: Int?
        public var height: Int?
        /// Width / height, four places.
        public var aspectRatio: Double?
        /// Height / width, four places: what a content extension's `preferredContentSize` goes by.
        public var contentSizeRatio: Double?
        public var bitsPerComponent: Int?
        public var frames: Int?
        public var colorSpace: String?
        public var hasAlpha: Bool?
        /// False for sound and films, which are published as they are.
        public var metadataStripped: Bool
        /// Of sound and films, in seconds.
        public var duration: Double?

        /// A picture of our own making.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
            aspectRatio = Self.ratio(width, height)
            contentSizeRatio = Self.ratio(height, width)
            bitsPerComponent = 8
            frames = 1
            colorSpace = "srgb"
            hasAlpha = false
            metadataStripped = true
        }

        /// Four places.
        static func ratio(_ part: Int, _ whole: Int) -> Double {
            Double((part * 10_000 + whole / 2) / whole) / 10_000
        }

        enum CodingKeys: String, CodingKey {
            case file, path, url, sha256, bytes, family
            case mediaType = "media_type"
            case uti
            case fileExtension = "extension"
            case width = "width_px"
            case height = "height_px"
            case aspectRatio = "aspect_ratio"
            case contentSizeRatio = "content_size_ratio"
            case bitsPerComponent = "bits_per_component"
            case frames
            case colorSpace = "color_space"
            case hasAlpha = "has_alpha"
            case metadataStripped = "metadata_stripped"
            case duration = "duration_s"
        }
    }

    /// How the picture was made.
    public struct Encoder: Codable, Equatable, Sendable {
        public var shortEdge: Int
        /// The Q that was used.
        public var quality: Int
        public var qualityAsked: Int
        public var qualityFloor: Int
        /// Why quality or size is what it is: `as-asked`, `quality-lowered`, `pixels-lowered`.
        public var reason: String
        public var subsampling = "4:2:0"
        public var progressive: Bool
        public var targetBytes: Int
        /// Encodes that were made to find the quality.
        public var attempts: Int
        public var upscaled = false
        /// What transparency was flattened on, `#rrggbb`.
        public var background: String
        public var libvips: String

        public init(
            recipe: Recipe, quality: Int, reason: String, progressive: Bool, attempts: Int, libvips: String
        ) {
            shortEdge = recipe.shortEdge
            self.quality = quality
            qualityAsked = recipe.quality
            qualityFloor = recipe.qualityFloor
            self.reason = reason
            self.progressive = progressive
            targetBytes = recipe.maxBytes
            self.attempts = attempts
            background = recipe.background.hex
            self.libvips = libvips
        }

        enum CodingKeys: String, CodingKey {
            case shortEdge = "short_edge_px"
            case quality
            case qualityAsked = "quality_asked"
            case qualityFloor = "quality_floor"
            case reason, subsampling, progressive
            case targetBytes = "target_bytes"
            case attempts, upscaled, background, libvips
        }
    }

    /// What a phone needs for the picture, in bytes.
    public struct Memory: Codable, Equatable, Sendable {
        public var bytesPerPixel: Int
        public var rowBytes: Int
        public var bitmapBytes: Int
        public var residentBytes: Int
        public var baseBytes = DecodedMemory.assumedBase
        public var rowAlignmentBytes = DecodedMemory.rowAlignment
        public var pageBytes = DecodedMemory.pageBytes
        public var peaks: DecodedMemory.Peaks?
        /// How the peaks stand to the budgets, by the id of the budget.
        public var budgets: [String: MemoryBudget.Verdict]?

        /// - Parameter fileBytes: length of the picture's file, in bytes; nil when it was not made.
        public init(_ memory: DecodedMemory, fileBytes: Int?) {
            bytesPerPixel = memory.bytesPerPixel
            rowBytes = memory.rowBytes
            bitmapBytes = memory.bitmapBytes
            residentBytes = memory.residentBytes
            peaks = fileBytes.map { memory.peaks(fileBytes: $0, frames: 1) }
        }

        enum CodingKeys: String, CodingKey {
            case bytesPerPixel = "bytes_per_pixel"
            case rowBytes = "row_bytes"
            case bitmapBytes = "bitmap_bytes"
            case residentBytes = "resident_bytes"
            case baseBytes = "base_bytes"
            case rowAlignmentBytes = "row_alignment_bytes"
            case pageBytes = "page_bytes"
            case peaks, budgets
        }
    }

    /// What a phone needs for the pictures of one push together, in bytes.
    public struct GroupMemory: Codable, Equatable, Sendable {
        /// The sum over its pictures.
        public var residentBytes: Int
        /// The most that the sum may be.
        public var shareBytes: Int
        /// The most that one picture was given, where they would not have fitted as large as each could be.
        public var capBytes: Int?

        /// All three in bytes.
        public init(residentBytes: Int, shareBytes: Int, capBytes: Int?) {
            self.residentBytes = residentBytes
            self.shareBytes = shareBytes
            self.capBytes = capBytes
        }

        enum CodingKeys: String, CodingKey {
            case residentBytes = "resident_bytes"
            case shareBytes = "share_bytes"
            case capBytes = "cap_bytes"
        }
    }
}
