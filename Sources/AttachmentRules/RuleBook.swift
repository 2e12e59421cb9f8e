/// What is known of each rule: the table that commands, manifests and the reference are written from.
public struct RuleBook: Equatable, Sendable {
    /// What the rule asks of a file, an URL, a response or a payload, on one line.
    public let summary: String
    /// How bad it is where no profile says otherwise.
    public let severity: Severity
    /// What the phone raises over it, where it raises anything.
    public let unError: UNErrorCode?
    /// Where the rule comes from: the vendor's page or code in short, or `ours` for a judgement without a source.
    public let source: String

    private init(_ summary: String, _ severity: Severity, _ unError: UNErrorCode? = nil, _ source: String) {
        self.summary = summary
        self.severity = severity
        self.unError = unError
        self.source = source
    }

    fileprivate static func entry(of rule: Rule) -> RuleBook {
        switch rule {
        case .notAFile:
            RuleBook(
                "a regular file with something in it", .error, .attachmentInvalidURL, "Apple UNError.Code, iOS 26.1")
        case .unknownContent:
            RuleBook("a content whose type is known by its first bytes", .error, .attachmentUnrecognizedType, "ours")
        case .typeNotAccepted:
            RuleBook(
                "a type that UNNotificationAttachment or the profile takes", .error, .attachmentUnrecognizedType,
                "Apple UNNotificationAttachment; iOS 26.1 for those beyond its table")
        case .typeNotDocumented:
            RuleBook("a type that Apple's table names, not only one that iOS 26.1 takes", .warning, nil, "iOS 26.1")
        case .extensionMismatch:
            RuleBook(
                "an extension that is the content's", .error, .attachmentUnrecognizedType,
                "Apple UNNotificationAttachment.h: the type follows from the extension")
        case .badTypeHint:
            RuleBook(
                "a type hint that is a UTI of the content", .error, .attachmentUnrecognizedType,
                "Apple UNNotificationAttachmentOptionsTypeHintKey; openradar 27708555")
        case .doesNotDecode:
            RuleBook("a file that decodes to its end", .error, .attachmentCorrupt, "Apple UNError.Code; iOS 26.1")
        case .codecNotAccepted:
            RuleBook("sound and film in codings that phones decode", .error, nil, "ours, after AVFoundation's decoders")
        case .tooLong:
            RuleBook("a sound or film that is not long", .warning, nil, "ours: an extension has about 30 s")
        case .falseDuration:
            RuleBook("a header that tells the duration that the packets have", .warning, nil, "ours")
        case .tooManyBytes:
            RuleBook(
                "at most 10 MB a picture, 5 MB a sound, 50 MB a film", .error, .attachmentInvalidFileSize,
                "Apple UNNotificationAttachment")
        case .overTarget:
            RuleBook("a picture within the profile's target bytes", .warning, nil, "ours: 100,000 bytes")
        case .overProfileLimit:
            RuleBook(
                "a file within the receiver's own limit", .error, nil, "Firebase, CleverTap, Airship, Microsoft")
        case .tooManyPixels:
            RuleBook("a picture that can be decoded in bounded memory", .error, nil, "ours: Limits")
        case .notResized:
            RuleBook("a short edge within the profile's", .error, nil, "ours: 600 px")
        case .widerThanShown:
            RuleBook("no edge longer than a phone is wide", .warning, nil, "the widest iPhone has 1320 px")
        case .tooNarrow:
            RuleBook("a width that receivers ask for at least", .warning, nil, "OneSignal: 300 px; web: 1350 px")
        case .badRatio:
            RuleBook("a shape that is shown whole", .warning, nil, "OneSignal, Braze, CleverTap: 1:1 to 2:1")
        case .notEnlarged:
            RuleBook("a source as large as the target, since nothing is enlarged", .warning, nil, "ours")
        case .notSRGB:
            RuleBook("8-bit sRGB", .error, nil, "ours; WWDC18-416 for the cost of wide formats")
        case .notStripped:
            RuleBook("upright, without position and EXIF", .error, nil, "ours")
        case .tooManyFrames:
            RuleBook("an animation whose frames fit in the memory", .error, nil, "WWDC18-416; ours")
        case .animationNotShown:
            RuleBook("an animation only where the receiver plays it", .error, nil, "Firebase, Braze, CleverTap")
        case .overExtensionLimit:
            RuleBook(
                "a picture that a service extension can decode in 24 MiB", .error, nil,
                "nextcloud/talk-ios#1223, deltachat-ios#2477")
        case .nearExtensionLimit:
            RuleBook("a picture that does so within 80 % of that", .warning, nil, "XNU: warning level of the footprint")
        case .overOldExtensionLimit:
            RuleBook(
                "a picture that iOS 12 can decode in its 12 MiB, where that is to be served", .error, nil,
                "OneSignal-Flutter-SDK#122; jetsam properties of 2019")
        case .overContentLimit:
            RuleBook(
                "a picture that a content extension can show", .warning, nil,
                "ours: 24 MiB; jetsam properties of 2019: 120 MiB")
        case .overImageShare:
            RuleBook(
                "decoded pictures within their share of the memory", .warning, nil, "ours: 8 MiB less 128 KiB of 24")
        case .notHTTPS:
            RuleBook("an https URL", .error, nil, "Apple App Transport Security; Airship, Adobe")
        case .urlExtension:
            RuleBook(
                "a path that ends in the type's lower-case extension", .error, .attachmentUnrecognizedType,
                "OneSignal, Kumulos, Adobe, Pinpoint name the file by it")
        case .urlQuery:
            RuleBook("no query, no fragment", .warning, nil, "Amazon Pinpoint reads the text after the last dot")
        case .badURL:
            RuleBook("at most 1000 bytes of ASCII without blanks", .error, nil, "Netcore; RFC 3986")
        case .servedType:
            RuleBook(
                "the served Content-Type is the file's, bare", .error, .attachmentUnrecognizedType,
                "OneSignal, Firebase, Leanplum, CleverTap take the type from it")
        case .servedResponse:
            RuleBook("status 200 with a Content-Length, no redirect", .warning, nil, "OneSignal; Adobe: 2xx only")
        case .servedCaching:
            RuleBook("to be cached for a year, immutable", .warning, nil, "RFC 8246")
        case .badClippingRectangle:
            RuleBook(
                "a thumbnail rectangle within the unit square", .error, nil,
                "Apple UNNotificationAttachmentOptionsThumbnailClippingRectKey")
        case .badThumbnailTime:
            RuleBook(
                "a thumbnail time or frame that the film or animation has", .error, nil,
                "Apple UNNotificationAttachmentOptionsThumbnailTimeKey")
        case .payloadTooLarge:
            RuleBook(
                "at most 4096 bytes; 5120 for VoIP, 3993 for web push", .error, nil,
                "Apple: generating a remote notification; RFC 8030, RFC 8291")
        case .extensionWillNotRun:
            RuleBook(
                "an alert and mutable-content 1 beside media", .error, nil, "Apple UNNotificationServiceExtension")
        case .mediaNotPublished:
            RuleBook("media that were published, and have not changed since", .error, nil, "ours")
        case .badAPS:
            RuleBook(
                "keys and values of aps that Apple names", .error, nil, "Apple: generating a remote notification")
        case .badTypeField:
            RuleBook(
                "the type field that the provider's SDK needs, in agreement with the URL", .error,
                .attachmentUnrecognizedType, "Braze, CleverTap, Klaviyo, Home Assistant SDKs")
        case .unknownCategory:
            RuleBook(
                "a category that a content extension is registered for", .warning, nil,
                "Apple UNNotificationContentExtension")
        case .tooManyAttachments:
            RuleBook("no more attachments than the provider's SDK reads", .warning, nil, "the SDKs' code")
        case .badPush:
            RuleBook("a push that can be read and does not contradict itself", .error, nil, "ours")
        }
    }
}

extension Rule {
    /// What is known of the rule.
    public var book: RuleBook { RuleBook.entry(of: self) }
}
