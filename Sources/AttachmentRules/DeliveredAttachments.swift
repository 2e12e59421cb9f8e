/// The attachments of a raw APNs payload, as the app's own service extension reads them.
///
/// Decode it from the payload, whose other keys do not matter:
///
/// ```swift
/// let json = try JSONSerialization.data(withJSONObject: content.userInfo)
/// for attachment in try JSONDecoder().decode(DeliveredAttachments.self, from: json).list { … }
/// ```
///
/// A server decodes `Manifest` in the same way and hands its attachments to `PushPayload`; both types are all that one
/// has to know of mediaprep, and neither needs anything that only Linux has.
public struct DeliveredAttachments: Decodable, Equatable, Sendable {
    /// In the order in which they are shown.
    public let list: [Attachment]

    /// One attachment.
    public struct Attachment: Codable, Equatable, Sendable {
        public var url: String
        /// The type hint to attach it with.
        public var uti: String
        public var identifier: String
        /// Place in the list, from 0; nil for the only one.
        public var order: Int?
        /// To hold the download against, lower-case hex.
        public var sha256: String?
        public var bytes: Int?
        /// The text that belongs to it.
        public var text: String?
        public var options: Options?
    }

    /// What goes to `UNNotificationAttachment` with it; nil members for the system's defaults.
    public struct Options: Codable, Equatable, Sendable {
        public var thumbnailHidden: Bool?
        public var thumbnailClippingRectangle: UnitRectangle?
        /// Seconds into a film, or the frame of an animation.
        public var thumbnailTime: Double?

        enum CodingKeys: String, CodingKey {
            case thumbnailHidden = "thumbnail_hidden"
            case thumbnailClippingRectangle = "thumbnail_clipping_rect"
            case thumbnailTime = "thumbnail_time"
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let several = try container.decodeIfPresent([Attachment].self, forKey: .attachments) {
            list = several.sorted { ($0.order ?? 0) < ($1.order ?? 0) }
        } else {
            list = try [container.decodeIfPresent(Attachment.self, forKey: .attachment)].compactMap(\.self)
        }
    }

    enum CodingKeys: String, CodingKey {
        case attachments, attachment
    }
}
