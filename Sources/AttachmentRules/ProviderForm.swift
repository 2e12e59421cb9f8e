/// Where a provider's SDK finds an attachment in a payload.
///
/// Sources: the SDKs' own code, as the README's reference names it.
struct ProviderForm {
    /// Steps through objects; `*` is each element of a list or each member of an object.
    typealias Path = [String]

    /// Where URLs are, in the order in which they are looked for.
    var urls: [Path]
    /// False where the SDK shows one attachment.
    var readsMany = false
    /// Where what Apple calls `aps` is; nil in a document that has none.
    var aps: Path? = ["aps"]
    /// Further keys of the top level that are the provider's.
    var reserved: [String] = []
}

extension Provider {
    /// How many attachments the provider's SDK reads; nil for as many as there are.
    public var mostAttachments: Int? { form.readsMany ? nil : 1 }

    /// The keys that lead the SDK to URLs, the first path that leads to any; `*` is each element of a list or each member
    /// of an object.
    public var urlKeyPaths: [[String]] { form.urls }

    /// The most bytes of a payload that are delivered; nil where no limit is published.
    ///
    /// Sources: Apple's "Generating a remote notification"; RFC 8030 and RFC 8291, whose 4096 bytes leave 3993 of text.
    /// Of APIs in front of APNs, the whole request is counted: what they deliver of it is not longer.
    public func limitBytes(isVoIP: Bool) -> Int? {
        switch self {
        case .windows: nil
        case .webpush: 3993
        default: isVoIP ? 5120 : 4096
        }
    }

    /// The extensions that the provider's SDK gives to the file that it attaches; nil where it takes any.
    ///
    /// Sources: OneSignalAttachmentHandler, UANotificationServiceExtension, CTNotificationService, Leanplum's sample,
    /// Adobe's MessagingNotificationHelper; of CleverTap and Leanplum what their MIME tables come to.
    public var extensions: Set<String>? {
        switch self {
        case .onesignal, .onesignalDevice:
            ["aiff", "wav", "mp3", "mp4", "jpg", "jpeg", "png", "gif", "mpeg", "mpg", "avi", "m4a", "m4v"]
        case .airship:
            ["jpg", "jpeg", "png", "gif", "aif", "aiff", "mp3", "mpg", "mpeg", "mp4", "m4a", "wav", "avi"]
        case .clevertap: ["jpg", "jpeg", "png", "gif", "mp4", "mp3"]
        case .leanplum: ["jpg", "jpeg", "png", "gif"]
        case .adobe:
            ["jpg", "jpeg", "png", "gif", "mp4", "mpeg4", "aif", "aiff", "mp3", "mpeg", "mpg", "wav", "m4a"]
        default: nil
        }
    }

    /// True where nothing but a picture is shown, so that of a film its still picture is sent.
    var showsPicturesOnly: Bool {
        switch self {
        case .webpush, .windows: true
        default: false
        }
    }

    /// True for documents that have an alert's texts one by one, and nothing else of it.
    var takesTextsAlone: Bool {
        switch self {
        case .onesignal, .expo, .webpush, .windows: true
        default: false
        }
    }

    var form: ProviderForm {
        switch self {
        case .apns:
            ProviderForm(
                urls: [["attachments", "*", "url"], ["attachment", "url"], ["attachment-url"]], readsMany: true)
        case .fcm:
            ProviderForm(
                urls: [["message", "apns", "fcm_options", "image"], ["fcm_options", "image"]],
                aps: ["message", "apns", "payload", "aps"], reserved: ["fcm_options", "gcm.message_id"])
        case .onesignal: ProviderForm(urls: [["ios_attachments", "*"]], readsMany: true, aps: nil)
        case .onesignalDevice:
            ProviderForm(
                urls: [["att", "*"], ["os_data", "att", "*"]], readsMany: true, reserved: ["custom"])
        case .airship:
            ProviderForm(
                urls: [
                    ["com.urbanairship.media_attachment", "url", "*"], ["com.urbanairship.media_attachment", "url"],
                    ["com.urbanairship.media_attachment", "urls", "*", "url"],
                ], readsMany: true)
        case .braze: ProviderForm(urls: [["ab", "att", "url"]])
        case .iterable: ProviderForm(urls: [["itbl", "attachment-url"]])
        case .clevertap: ProviderForm(urls: [["ct_mediaUrl"]], reserved: ["ct_mediaType"])
        case .batch: ProviderForm(urls: [["com.batch", "at", "u"]])
        case .leanplum: ProviderForm(urls: [["LP_URL"]])
        case .kumulos: ProviderForm(urls: [["attachments", "pictureUrl"]])
        case .klaviyo: ProviderForm(urls: [["rich-media"]], reserved: ["rich-media-type"])
        case .customerio: ProviderForm(urls: [["CIO", "push", "image"]])
        case .pinpoint: ProviderForm(urls: [["data", "media-url"]])
        case .salesforce: ProviderForm(urls: [["_mediaUrl"]], reserved: ["_mediaAlt"])
        case .adobe: ProviderForm(urls: [["adb_media"]])
        case .expo: ProviderForm(urls: [["richContent", "image"], ["body", "_richContent", "image"]], aps: nil)
        case .homeassistant: ProviderForm(urls: [["attachment", "url"]])
        case .notifee: ProviderForm(urls: [["notifee_options", "ios", "attachments", "*", "url"]], readsMany: true)
        case .webpush: ProviderForm(urls: [["options", "image"]], aps: nil)
        case .windows: ProviderForm(urls: [["toast", "visual", "binding", "image", "src"]], aps: nil)
        }
    }
}

extension JSONValue {
    /// Every value at the end of the path; members of an object in the order of their keys' bytes.
    func values(at path: ProviderForm.Path) -> [JSONValue] {
        guard let step = path.first else { return [self] }
        let rest = Array(path.dropFirst())
        guard step == "*" else { return members?[step]?.values(at: rest) ?? [] }
        let children =
            elements
            ?? members?.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value) ?? []
        return children.flatMap { $0.values(at: rest) }
    }
}
