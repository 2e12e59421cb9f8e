/// The words that CleverTap's extension knows types by (CTNotificationService).
enum CleverTap {
    static let words = ["image", "video", "audio", "gif"]

    static func word(for type: MediaType) -> String {
        switch type.family {
        case .audio: "audio"
        case .movie: "video"
        case .image, nil: type == .gif ? "gif" : "image"
        }
    }
}

/// The words of Home Assistant's `content-type`, of those that its parser is known to read; for other types it goes by
/// the URL's extension.
enum HomeAssistant {
    static func word(for type: MediaType) -> String? {
        switch type {
        case .jpeg: "jpeg"
        case .png, .apng: "png"
        case .gif: "gif"
        case .mp4: "mpeg4"
        default: nil
        }
    }
}
