import AttachmentRules

/// The rules that a payload is judged by, whoever wrote it.
enum PayloadRuleCases {
    private static let url = "https://cdn.example/ab/abcd.jpg"
    private static let alert = #""alert":{"title":"Ahoy","body":"A picture"}"#

    private static func apns(
        _ aps: String = "", alert: String = Self.alert, mutable: String = #","mutable-content":1"#,
        media: String = #""attachment-url":"\#(Self.url)""#, categories: [String] = [],
        published: [PublishedMedia]? = nil, isVoIP: Bool = false
    ) -> [Finding] {
        judged(
            #"{"aps":{\#(alert)\#(mutable)\#(aps)},\#(media)}"#, categories: categories, published: published,
            isVoIP: isVoIP)
    }

    private static func judged(
        _ document: String, _ provider: Provider? = nil, categories: [String] = [],
        published: [PublishedMedia]? = nil, isVoIP: Bool = false
    ) -> [Finding] {
        var circumstances = PayloadCheck.Circumstances()
        circumstances.categories = categories
        circumstances.published = published
        circumstances.isVoIP = isVoIP
        return PayloadCheck(document: Array(document.utf8), provider: provider, circumstances: circumstances).findings
    }

    private static func media(_ change: (inout PublishedMedia) -> Void = { _ in }) -> [PublishedMedia] {
        var source = Manifest.Source(name: "a.png", path: "a.png")
        source.bytes = 9
        var manifest = Manifest(name: "a.png", status: .published, recipe: "r", createdAt: "now", source: source)
        manifest.output = Manifest.Output(width: 1, height: 1)
        manifest.output?.path = "media/ab/abcd.jpg"
        manifest.output?.sha256 = "abcd"
        manifest.output?.bytes = 61_234
        return PublishedMedia.list(of: manifest).map { media in
            var media = media
            change(&media)
            return media
        }
    }

    private static func padded(to bytes: Int) -> String {
        let head = #"{"aps":{\#(alert),"mutable-content":1},"attachment-url":"\#(url)","x":""#
        return head + String(repeating: "x", count: bytes - head.utf8.count - 2) + #""}"#
    }

    static let all: [RuleCase] = size + running + published + aps + types + others

    private static let size: [RuleCase] = [
        .passes(.payloadTooLarge, "4096 bytes") { judged(padded(to: 4096)) },
        .passes(.payloadTooLarge, "5120 bytes of VoIP") { judged(padded(to: 5120), isVoIP: true) },
        .fails(.payloadTooLarge, "4097 bytes", "4097 bytes of 4096; cut it by 1") { judged(padded(to: 4097)) },
        .fails(.payloadTooLarge, "5121 bytes of VoIP", "cut it by 1") { judged(padded(to: 5121), isVoIP: true) },
        .fails(.payloadTooLarge, "3994 bytes of web push", "of 3993") { judged(padded(to: 3994), .webpush) },
    ]

    private static let running: [RuleCase] = [
        .passes(.extensionWillNotRun, "an alert and mutable-content") { apns() },
        .passes(.extensionWillNotRun, "an alert that is a text") { apns(alert: #""alert":"Ahoy""#) },
        .passes(.extensionWillNotRun, "Firebase's own notification") {
            judged(
                #"""
                {"message":{"notification":{"body":"b"},"apns":{"payload":{"aps":{"mutable-content":1}},
                "fcm_options":{"image":"\#(url)"}}}}
                """#)
        },
        .passes(.extensionWillNotRun, "what Firebase delivers") {
            apns(media: #""fcm_options":{"image":"\#(url)"}"#)
        },
        .passes(.extensionWillNotRun, "what Expo delivers") {
            apns(media: #""body":{"_richContent":{"image":"\#(url)"}}"#)
        },
        .passes(.extensionWillNotRun, "a toast with a text") {
            judged(#"<toast><visual><text>a</text><image src="\#(url)"/></visual></toast>"#)
        },
        .fails(.extensionWillNotRun, "without mutable-content", "aps.mutable-content is missing") {
            apns(mutable: "")
        },
        .fails(.extensionWillNotRun, "mutable-content as a text", #"mutable-content is "1""#) {
            apns(mutable: #","mutable-content":"1""#)
        },
        .fails(.extensionWillNotRun, "mutable-content as a truth value", "mutable-content is true") {
            apns(mutable: #","mutable-content":true"#)
        },
        .fails(.extensionWillNotRun, "an empty alert", "aps.alert is without a text") { apns(alert: #""alert":{}"#) },
        .fails(.extensionWillNotRun, "a toast without a text", "the toast has no text") {
            judged(#"<toast><visual><text></text><image src="\#(url)"/></visual></toast>"#)
        },
        .fails(.extensionWillNotRun, "a web push without a title", "no title") {
            judged(#"{"options":{"image":"\#(url)"}}"#)
        },
        .fails(.extensionWillNotRun, "Expo without texts", "title and body") {
            judged(#"{"mutableContent":true,"richContent":{"image":"\#(url)"}}"#)
        },
        .warns(.extensionWillNotRun, "OneSignal without its flag", "mutable_content is missing") {
            judged(#"{"contents":{"en":"a"},"ios_attachments":{"image":"\#(url)"}}"#)
        },
    ]

    private static let published: [RuleCase] = [
        .passes(.mediaNotPublished, "what is published") { apns(published: media()) },
        .passes(.mediaNotPublished, "what lies there as it was published") {
            apns(published: media { $0.now = .present(bytes: 61_234, sha256: "abcd") })
        },
        .passes(.mediaNotPublished, "the same digest in the payload") {
            apns(
                media: #""attachment":{"url":"\#(url)","sha256":"abcd","bytes":61234}"#, published: media())
        },
        .fails(.mediaNotPublished, "no media", "no media where apns reads them: attachments.*.url") {
            apns(media: #""a":1"#)
        },
        .fails(.mediaNotPublished, "another file", "not among the media") {
            apns(media: #""attachment-url":"https://cdn.example/ab/abce.jpg""#, published: media())
        },
        .fails(.mediaNotPublished, "a file that is gone", "gone from the outbox") {
            apns(published: media { $0.now = .missing })
        },
        .fails(.mediaNotPublished, "a shorter file", "has 9 bytes in the outbox") {
            apns(published: media { $0.now = .present(bytes: 9, sha256: "abcd") })
        },
        .fails(.mediaNotPublished, "another file of that length", "other bytes") {
            apns(published: media { $0.now = .present(bytes: 61_234, sha256: "ffff") })
        },
        .fails(.mediaNotPublished, "another digest in the payload", "another sha256") {
            apns(media: #""attachment":{"url":"\#(url)","sha256":"ffff"}"#, published: media())
        },
        .fails(.mediaNotPublished, "another length in the payload", "has 9 bytes by the payload") {
            apns(media: #""attachments":[{"url":"\#(url)","bytes":9}]"#, published: media())
        },
    ]

    private static let aps: [RuleCase] = [
        .passes(.badAPS, "all that Apple names") {
            apns(
                #"""
                ,"badge":0,"sound":{"critical":1,"name":"a","volume":0.5},"thread-id":"a","category":"a",
                "target-content-id":"a","filter-criteria":"a","interruption-level":"time-sensitive","relevance-score":1,
                "content-available":1
                """#)
        },
        .fails(.badAPS, "a relevance of 2", "relevance-score takes a number from 0 to 1") {
            apns(#","relevance-score":2"#)
        },
        .fails(.badAPS, "an unknown level", "interruption-level takes passive, active") {
            apns(#","interruption-level":"loud""#)
        },
        .fails(.badAPS, "a badge that is a text", "badge takes") { apns(#","badge":"3""#) },
        .fails(.badAPS, "a category that is a number", "category takes a text") { apns(#","category":3"#) },
        .fails(.badAPS, "a title that is a number", "alert.title takes a text, not a number") {
            apns(alert: #""alert":{"title":1,"body":"b"}"#)
        },
        .warns(.badAPS, "an alert with a member that there is not", "alert has no member") {
            apns(alert: #""alert":{"title":"a","text":"b"}"#)
        },
        .warns(.badAPS, "a key that Apple does not name", #""media" is no key"#) { apns(#","media":"a""#) },
        .fails(.badAPS, "aps that is a text", "aps takes an object") {
            judged(#"{"aps":"a","attachment-url":"\#(url)"}"#)
        },
    ]

    private static let types: [RuleCase] = [
        .passes(.badTypeField, "Braze with its type") { apns(media: #""ab":{"att":{"url":"\#(url)","type":"jpg"}}"#) },
        .passes(.badTypeField, "Klaviyo without it, for a JPEG") { apns(media: #""rich-media":"\#(url)""#) },
        .passes(.badTypeField, "a UTI") { apns(media: #""attachment":{"url":"\#(url)","uti":"public.jpeg"}"#) },
        .passes(.badTypeField, "Home Assistant without it") {
            apns(media: #""attachment":{"url":"\#(url)","hide-thumbnail":false}"#)
        },
        .fails(.badTypeField, "Braze without it", "ab.att.type is missing") {
            apns(media: #""ab":{"att":{"url":"\#(url)"}}"#)
        },
        .fails(.badTypeField, "Braze with another", #"ab.att.type is "png", which is not the URL's type; give jpg"#) {
            apns(media: #""ab":{"att":{"url":"\#(url)","type":"png"}}"#)
        },
        .fails(.badTypeField, "Klaviyo without it, for a GIF", #"is "jpg""#) {
            apns(media: #""rich-media":"https://a/b.gif""#)
        },
        .fails(.badTypeField, "CleverTap without it", "ct_mediaType is missing, and nothing is shown; give image") {
            apns(media: #""ct_mediaUrl":"\#(url)""#)
        },
        .fails(.badTypeField, "CleverTap with another", #"ct_mediaType is "jpg""#) {
            apns(media: #""ct_mediaUrl":"\#(url)","ct_mediaType":"jpg""#)
        },
        .fails(.badTypeField, "Home Assistant with another", #"content-type is "png""#) {
            apns(media: #""attachment":{"url":"\#(url)","content-type":"png"}"#)
        },
        .fails(.badTypeField, "a MIME type as a UTI", #"uti is "image/jpeg""#) {
            apns(media: #""attachments":[{"url":"\#(url)","uti":"image/jpeg"}]"#)
        },
        .fails(.badTypeField, "a UTI of another type", "give public.jpeg") {
            apns(media: #""notifee_options":{"ios":{"attachments":[{"url":"\#(url)","typeHint":"public.png"}]}}"#)
        },
    ]

    private static let others: [RuleCase] = [
        .passes(.unknownCategory, "none, where any may be") { apns() },
        .passes(.unknownCategory, "a known one") { apns(#","category":"ALBUM""#, categories: ["STORY", "ALBUM"]) },
        .warns(.unknownCategory, "none", "aps.category is missing") { apns(categories: ["ALBUM"]) },
        .warns(.unknownCategory, "an unknown one", #"aps.category is "Album", for which"#) {
            apns(#","category":"Album""#, categories: ["ALBUM"])
        },
        .warns(.unknownCategory, "none in OneSignal's", "ios_category") {
            judged(
                #"{"contents":{"en":"a"},"mutable_content":true,"ios_attachments":{"image":"\#(url)"}}"#,
                categories: ["ALBUM"])
        },
        .passes(.tooManyAttachments, "two for one's own extension") {
            apns(media: #""attachments":[{"url":"\#(url)"},{"url":"https://a/b.png"}]"#)
        },
        .warns(.tooManyAttachments, "a list for Leanplum", "names 2 media, of which leanplum reads 1") {
            apns(media: #""LP_URL":["\#(url)","https://a/b.png"]"#)
        },
        .passes(.badPush, "a payload") { apns() },
        .fails(.badPush, "half a payload", "the payload is not JSON") { judged(#"{"aps":{"#) },
        .fails(.badPush, "a list", "no JSON object") { judged("[]") },
        .fails(.badPush, "a page", "no toast of Windows") { judged("<html></html>") },
    ]
}
