/// What an app hands to `UNNotificationAttachment` beside the file, under the names that Notifee and Airship use.
///
/// Sources: UNNotificationAttachment.h of the macOS 10.14 SDK, and Apple's pages on its four option keys.
public struct AttachmentOptions: Codable, Equatable, Sendable {
    /// Tells attachments of one push apart: the first digits of the file's SHA-256.
    public var identifier: String
    /// A uniform type identifier, such as `public.jpeg`.
    public var typeHint: String
    public var thumbnailHidden = false
    /// The part of the picture that the square thumbnail shows; nil for sound.
    public var thumbnailClippingRectangle: UnitRectangle?
    /// Seconds into a film, or the frame of an animation; nil for a still picture and for sound.
    public var thumbnailTime: Double?

    public init(identifier: String, typeHint: String) {
        self.identifier = identifier
        self.typeHint = typeHint
    }

    enum CodingKeys: String, CodingKey {
        case identifier
        case typeHint = "type_hint"
        case thumbnailHidden = "thumbnail_hidden"
        case thumbnailClippingRectangle = "thumbnail_clipping_rect"
        case thumbnailTime = "thumbnail_time"
    }
}

/// A rectangle in a square of side 1 that is laid over a picture, from its upper left corner.
public struct UnitRectangle: Codable, Equatable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
