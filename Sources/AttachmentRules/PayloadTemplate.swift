/// The documents of the providers, as their SDKs and APIs read them.
struct PayloadTemplate {
    let attachments: [PushAttachment]
    let provider: Provider
    let target: PushPayload.Target

    /// A document in its two layouts.
    struct Content {
        var bytes: [UInt8]
        var bytesForPeople: [UInt8]
    }

    private typealias Members = [String: JSONValue]

    /// Of how many attachments the text goes with them.
    var textsCarried: Int {
        switch provider {
        case .apns: attachments.count
        case .salesforce: 1
        default: 0
        }
    }

    func content(of push: Push) throws(Rejection) -> Content {
        if provider == .windows {
            guard push.custom?.isEmpty != false else {
                throw Rejection(badPush: "custom has keys, for which a Windows toast has no place")
            }
            let document = WindowsToast.document(push: push, attachments: attachments)
            return Content(bytes: document, bytesForPeople: document + [0x0A])
        }
        let value = JSONValue.object(try members(of: push))
        return Content(bytes: value.serialized, bytesForPeople: value.serializedForPeople)
    }

    private func members(of push: Push) throws(Rejection) -> Members {
        switch provider {
        case .fcm: return try firebase(push)
        case .onesignal: return try oneSignal(push)
        case .expo: return try expo(push)
        case .webpush: return try webPush(push)
        default: return try merged(["aps": aps(of: push)].merging(keys(of: push)) { $1 }, with: push.custom)
        }
    }

    private var first: PushAttachment { attachments[0] }
    private var url: JSONValue { .string(first.url) }
    private var fileExtension: JSONValue { .string(first.mediaType.preferredExtension) }
    /// For Android and browsers, which show no film: the first picture, or still picture of a film, that there is.
    private var pictureURL: JSONValue? { attachments.lazy.compactMap(\.asPicture).first.map { .string($0.url) } }

    /// Whether the document names a picture beside the attachment, for receivers that show nothing else.
    var namesPicture: Bool { provider == .fcm || provider == .onesignal }

    /// What stands beside `aps` in what a phone is delivered.
    private func keys(of push: Push) -> Members {
        switch provider {
        case .apns:
            let isAlone = attachments.count == 1
            let list = attachments.indices.map { index in
                JSONValue.object(delivered(index, text: push.texts?[index], isAlone: isAlone))
            }
            return ["attachment-url": url, isAlone ? "attachment" : "attachments": isAlone ? list[0] : .array(list)]
        case .onesignalDevice: return ["att": identified]
        case .airship:
            var media: Members = ["url": .array(attachments.map { .string($0.url) })]
            if let options = airshipOptions { media["options"] = .object(options) }
            return ["com.urbanairship.media_attachment": .object(media)]
        case .braze: return ["ab": .object(["att": .object(["url": url, "type": fileExtension])])]
        case .iterable: return ["itbl": .object(["attachment-url": url])]
        case .clevertap: return ["ct_mediaUrl": url, "ct_mediaType": .string(CleverTap.word(for: first.mediaType))]
        case .batch: return ["com.batch": .object(["at": .object(["u": url])])]
        case .leanplum: return ["LP_URL": url]
        case .kumulos: return ["attachments": .object(["pictureUrl": url])]
        case .klaviyo: return ["rich-media": url, "rich-media-type": fileExtension]
        case .customerio: return ["CIO": .object(["push": .object(["image": url])])]
        case .pinpoint: return ["data": .object(["media-url": url])]
        case .salesforce:
            // What is shown where the picture cannot be had.
            let alternative = push.texts?.first.flatMap { $0.isEmpty ? nil : $0 }
            return ["_mediaUrl": url].merging(alternative.map { ["_mediaAlt": .string($0)] } ?? [:]) { $1 }
        case .adobe: return ["adb_media": url]
        case .homeassistant:
            var attachment: Members = ["url": url, "hide-thumbnail": .bool(first.options?.thumbnailHidden ?? false)]
            attachment["content-type"] = HomeAssistant.word(for: first.mediaType).map { .string($0) }
            return ["attachment": .object(attachment)]
        case .notifee:
            let list = attachments.map { JSONValue.object(notifee($0)) }
            return ["notifee_options": .object(["ios": .object(["attachments": .array(list)])])]
        case .fcm, .onesignal, .expo, .webpush, .windows: return [:]
        }
    }

    private func aps(of push: Push) -> JSONValue {
        var aps: Members = ["mutable-content": .integer(1)]
        aps["alert"] = push.alert
        aps["category"] = push.category.map { .string($0) }
        aps["thread-id"] = push.threadID.map { .string($0) }
        return .object(aps)
    }

    private func firebase(_ push: Push) throws(Rejection) -> Members {
        let texts = AlertTexts(push.alert)
        var aps: Members = ["mutable-content": .integer(1)]
        aps["category"] = push.category.map { .string($0) }
        aps["thread-id"] = push.threadID.map { .string($0) }
        // Firebase's own notification has a title and a body, and nothing else of an alert.
        if texts.hasMore { aps["alert"] = push.alert }
        let payload = try merged(["aps": .object(aps)], with: push.custom)
        var message: Members = [
            "apns": .object(["payload": .object(payload), "fcm_options": .object(["image": url])])
        ]
        let notification = texts.members(title: "title", body: "body")
        if !notification.isEmpty { message["notification"] = .object(notification) }
        message["android"] = pictureURL.map { .object(["notification": .object(["image": $0])]) }
        message["token"] = target.token.map { .string($0) }
        return ["message": .object(message)]
    }

    private func oneSignal(_ push: Push) throws(Rejection) -> Members {
        let texts = AlertTexts(push.alert)
        var members: Members = ["mutable_content": .bool(true), "ios_attachments": identified]
        members["big_picture"] = pictureURL
        members["chrome_web_image"] = pictureURL
        func english(_ text: String) -> JSONValue { .object(["en": .string(text)]) }
        // The API asks for contents in any case.
        members["contents"] = english(texts.body ?? texts.title ?? "")
        if texts.body != nil { members["headings"] = texts.title.map(english) }
        members["subtitle"] = texts.subtitle.map(english)
        members["app_id"] = target.appID.map { .string($0) }
        members["ios_category"] = push.category.map { .string($0) }
        members["thread_id"] = push.threadID.map { .string($0) }
        if let custom = push.custom, !custom.isEmpty { members["data"] = .object(try merged([:], with: custom)) }
        return members
    }

    private func expo(_ push: Push) throws(Rejection) -> Members {
        let texts = AlertTexts(push.alert)
        var members = texts.members(title: "title", body: "body")
        members["subtitle"] = texts.subtitle.map { .string($0) }
        members["mutableContent"] = .bool(true)
        members["richContent"] = .object(["image": url])
        members["to"] = target.token.map { .string($0) }
        members["categoryId"] = push.category.map { .string($0) }
        if let custom = push.custom, !custom.isEmpty { members["data"] = .object(try merged([:], with: custom)) }
        return members
    }

    private func webPush(_ push: Push) throws(Rejection) -> Members {
        let texts = AlertTexts(push.alert)
        var options: Members = ["image": url]
        if texts.title != nil { options["body"] = texts.body.map { .string($0) } }
        options["tag"] = push.threadID.map { .string($0) }
        if let custom = push.custom, !custom.isEmpty { options["data"] = .object(try merged([:], with: custom)) }
        return ["title": .string(texts.title ?? texts.body ?? ""), "options": .object(options)]
    }

    /// Keys of the app's own among the provider's.
    private func merged(_ members: Members, with custom: [String: JSONValue]?) throws(Rejection) -> Members {
        guard let custom else { return members }
        let own = Set(members.keys).union(provider.form.urls.compactMap(\.first)).union(provider.form.reserved)
            .union(["aps"])
        if let key = custom.keys.sorted().first(where: own.contains) {
            throw Rejection(
                badPush: "custom has the key \(Push.quoted(key)), which is \(provider.rawValue)'s; choose another name")
        }
        return members.merging(custom) { $1 }
    }

    /// Several URLs under names that keep their order where members are sorted.
    private var identified: JSONValue {
        if attachments.count == 1 { return .object([first.mediaType.family?.rawValue ?? "file": url]) }
        let digits = "\(attachments.count)".count
        let members = attachments.enumerated().map { index, attachment in
            let number = "\(index + 1)"
            let place = String(repeating: "0", count: digits - number.count) + number
            return ("\(place)-\(attachment.identifier)", JSONValue.string(attachment.url))
        }
        return .object(Members(members, uniquingKeysWith: { first, _ in first }))
    }

    private func delivered(_ index: Int, text: String?, isAlone: Bool) -> Members {
        let attachment = attachments[index]
        var members: Members = ["url": .string(attachment.url), "identifier": .string(attachment.identifier)]
        members["uti"] = attachment.mediaType.uti.map { .string($0) }
        if !isAlone { members["order"] = .integer(index) }
        members["sha256"] = attachment.sha256.map { .string($0) }
        members["bytes"] = attachment.bytes.map { .integer($0) }
        members["text"] = text.map { .string($0) }
        if let options = attachment.options {
            var told: Members = [:]
            if options.thumbnailHidden { told["thumbnail_hidden"] = .bool(true) }
            told["thumbnail_clipping_rect"] = options.thumbnailClippingRectangle.map(\.json)
            told["thumbnail_time"] = options.thumbnailTime.map { .number($0) }
            if !told.isEmpty { members["options"] = .object(told) }
        }
        return members
    }

    private var airshipOptions: Members? {
        guard let options = first.options else { return nil }
        var members: Members = [:]
        members["crop"] = options.thumbnailClippingRectangle.map(\.json)
        members["time"] = options.thumbnailTime.map { .number($0) }
        if options.thumbnailHidden { members["hidden"] = .bool(true) }
        return members.isEmpty ? nil : members
    }

    private func notifee(_ attachment: PushAttachment) -> Members {
        var members: Members = ["id": .string(attachment.identifier), "url": .string(attachment.url)]
        members["typeHint"] = attachment.mediaType.uti.map { .string($0) }
        if let options = attachment.options {
            if options.thumbnailHidden { members["thumbnailHidden"] = .bool(true) }
            members["thumbnailClippingRect"] = options.thumbnailClippingRectangle.map(\.json)
            members["thumbnailTime"] = options.thumbnailTime.map { .number($0) }
        }
        return members
    }
}

extension UnitRectangle {
    fileprivate var json: JSONValue {
        .object(["x": .number(x), "y": .number(y), "width": .number(width), "height": .number(height)])
    }
}
