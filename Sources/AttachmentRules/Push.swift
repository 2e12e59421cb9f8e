/// One push as whoever sends it describes it: the `push.json` of a notification group.
public struct Push: Codable, Equatable, Sendable {
    /// Names of the attachments in the order in which they are shown; nil for the order of their names.
    public var order: [String]?
    /// The text that belongs to the n-th attachment.
    public var texts: [String]?
    /// The category that a content extension is registered for.
    public var category: String?
    /// A string, or an object with `title`, `subtitle`, `body` and the localisation keys of `aps.alert`.
    public var alert: JSONValue?
    public var threadID: String?
    /// True for attachments that are shown only when the notification is opened.
    public var hidesThumbnails: Bool?
    /// Keys of the app's own, peers of `aps`.
    public var custom: [String: JSONValue]?
    /// The profile that the attachments are made by and judged against.
    public var profile: String?
    /// Whose SDK reads the payload.
    public var provider: String?

    public init() {}

    /// With what another one says, member by member, in the place of what this one does.
    public func overruled(by other: Push) -> Push {
        var push = self
        push.order = other.order ?? order
        push.texts = other.texts ?? texts
        push.category = other.category ?? category
        push.alert = other.alert ?? alert
        push.threadID = other.threadID ?? threadID
        push.hidesThumbnails = other.hidesThumbnails ?? hidesThumbnails
        if let keys = other.custom { push.custom = (custom ?? [:]).merging(keys) { $1 } }
        push.profile = other.profile ?? profile
        push.provider = other.provider ?? provider
        return push
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case order, texts, category, alert
        case threadID = "thread-id"
        case hidesThumbnails = "hide-thumbnails"
        case custom, profile, provider
    }
}
