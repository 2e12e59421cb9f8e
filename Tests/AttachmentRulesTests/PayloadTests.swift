import AttachmentRules
import Foundation
import Testing

@Suite struct PayloadTests {
    static func attachment(_ name: String, _ type: MediaType = .jpeg) -> PushAttachment {
        var attachment = PushAttachment(
            url: "https://cdn.example/ab/\(name).\(type.preferredExtension)", mediaType: type, identifier: name)
        attachment.sha256 = "ab\(name)"
        attachment.bytes = 61_234
        return attachment
    }

    static func push(_ alert: JSONValue = .object(["title": .string("T"), "body": .string("B")])) -> Push {
        var push = Push()
        push.alert = alert
        return push
    }

    static func text(
        _ provider: Provider, _ attachments: [PushAttachment] = [attachment("a")], _ push: Push = push(),
        _ change: (inout PushPayload.Target) -> Void = { _ in }
    ) throws -> String {
        var target = PushPayload.Target()
        change(&target)
        let payload = try PushPayload(
            attachments: attachments, push: push, provider: provider, target: target, profile: .ios)
        return String(decoding: payload.document, as: UTF8.self)
    }

    struct Template: Sendable, CustomTestStringConvertible {
        let provider: Provider
        let document: String
        var testDescription: String { provider.rawValue }

        init(_ provider: Provider, _ document: String) {
            self.provider = provider
            self.document = document
        }

        /// With Apple's object in front.
        static func device(_ provider: Provider, _ keys: String) -> Template {
            let aps = #""aps":{"alert":{"body":"B","title":"T"},"mutable-content":1}"#
            // Keys are sorted by their bytes, so that some stand in front of `aps`.
            return Template(provider, "{" + keys.replacing("APS", with: aps) + "}")
        }
    }

    private static let url = "https://cdn.example/ab/a.jpg"

    @Test(
        "each provider has the keys that its SDK reads",
        arguments: [
            .device(
                .apns,
                #"""
                APS,"attachment":{"bytes":61234,"identifier":"a","sha256":"aba","url":"\#(url)","uti":"public.jpeg"},\#
                "attachment-url":"\#(url)"
                """#),
            Template(
                .fcm,
                #"""
                {"message":{"android":{"notification":{"image":"\#(url)"}},"apns":{"fcm_options":{"image":"\#(url)"},\#
                "payload":{"aps":{"mutable-content":1}}},"notification":{"body":"B","title":"T"}}}
                """#),
            Template(
                .onesignal,
                #"""
                {"big_picture":"\#(url)","chrome_web_image":"\#(url)","contents":{"en":"B"},"headings":{"en":"T"},\#
                "ios_attachments":{"image":"\#(url)"},"mutable_content":true}
                """#),
            .device(.onesignalDevice, #"APS,"att":{"image":"\#(url)"}"#),
            .device(.airship, #"APS,"com.urbanairship.media_attachment":{"url":["\#(url)"]}"#),
            .device(.braze, #""ab":{"att":{"type":"jpg","url":"\#(url)"}},APS"#),
            .device(.iterable, #"APS,"itbl":{"attachment-url":"\#(url)"}"#),
            .device(.clevertap, #"APS,"ct_mediaType":"image","ct_mediaUrl":"\#(url)""#),
            .device(.batch, #"APS,"com.batch":{"at":{"u":"\#(url)"}}"#),
            .device(.leanplum, #""LP_URL":"\#(url)",APS"#),
            .device(.kumulos, #"APS,"attachments":{"pictureUrl":"\#(url)"}"#),
            .device(.klaviyo, #"APS,"rich-media":"\#(url)","rich-media-type":"jpg""#),
            .device(.customerio, #""CIO":{"push":{"image":"\#(url)"}},APS"#),
            .device(.pinpoint, #"APS,"data":{"media-url":"\#(url)"}"#),
            .device(.salesforce, #""_mediaUrl":"\#(url)",APS"#),
            .device(.adobe, #""adb_media":"\#(url)",APS"#),
            Template(.expo, #"{"body":"B","mutableContent":true,"richContent":{"image":"\#(url)"},"title":"T"}"#),
            .device(
                .homeassistant, #"APS,"attachment":{"content-type":"jpeg","hide-thumbnail":false,"url":"\#(url)"}"#),
            .device(
                .notifee,
                #"APS,"notifee_options":{"ios":{"attachments":[{"id":"a","typeHint":"public.jpeg","url":"\#(url)"}]}}"#),
            Template(.webpush, #"{"options":{"body":"B","image":"\#(url)"},"title":"T"}"#),
            Template(
                .windows,
                #"""
                <toast><visual><binding template="ToastGeneric"><text>T</text><text>B</text>\#
                <image placement="hero" src="\#(url)"/></binding></visual></toast>
                """#),
        ] as [Template])
    func template(_ template: Template) throws {
        #expect(try Self.text(template.provider) == template.document)
    }

    @Test("a payload of ours is found nothing of", arguments: Provider.allCases)
    func check(_ provider: Provider) throws {
        let document = Array(try Self.text(provider).utf8)
        let check = PayloadCheck(document: document, provider: nil, circumstances: .init())
        #expect(check.provider == provider)
        #expect(check.urls.first == Self.url)
        #expect(check.findings == [])
    }

    @Test("several attachments keep their order, with their texts and options")
    func several() throws {
        var film = Self.attachment("c", .mp4)
        film.options = AttachmentOptions(identifier: "c", typeHint: "public.mpeg-4")
        film.options?.thumbnailTime = 1.5
        film.options?.thumbnailHidden = true
        film.options?.thumbnailClippingRectangle = UnitRectangle(x: 0.25, y: 0, width: 0.5, height: 1)
        var push = Self.push(.string("Ahoy"))
        push.category = "ALBUM"
        push.threadID = "t"
        push.texts = ["one", "", "three"]
        push.custom = ["album": .integer(7)]
        let text = try Self.text(.apns, [Self.attachment("b"), Self.attachment("a", .png), film], push)
        #expect(
            text == #"""
                {"album":7,"aps":{"alert":"Ahoy","category":"ALBUM","mutable-content":1,"thread-id":"t"},\#
                "attachment-url":"https://cdn.example/ab/b.jpg","attachments":[\#
                {"bytes":61234,"identifier":"b","order":0,"sha256":"abb","text":"one",\#
                "url":"https://cdn.example/ab/b.jpg","uti":"public.jpeg"},\#
                {"bytes":61234,"identifier":"a","order":1,"sha256":"aba","text":"",\#
                "url":"https://cdn.example/ab/a.png","uti":"public.png"},\#
                {"bytes":61234,"identifier":"c","options":{"thumbnail_clipping_rect":{"height":1.0,"width":0.5,\#
                "x":0.25,"y":0.0},"thumbnail_hidden":true,"thumbnail_time":1.5},"order":2,"sha256":"abc",\#
                "text":"three","url":"https://cdn.example/ab/c.mp4","uti":"public.mpeg-4"}]}
                """#)
        let many = (1...12).map { Self.attachment("\(13 - $0)") }
        let check = PayloadCheck(
            document: Array(try Self.text(.onesignalDevice, many, Self.push()).utf8), provider: nil,
            circumstances: .init())
        #expect(check.urls == many.map(\.url))
    }

    @Test("where an alert says more than Firebase's notification can, it goes along")
    func firebase() throws {
        let alert = JSONValue.object(["title": .string("T"), "subtitle": .string("S"), "body": .string("B")])
        let text = try Self.text(.fcm, [Self.attachment("a", .mp4)], Self.push(alert)) { $0.token = "tok" }
        #expect(
            text == #"""
                {"message":{"apns":{"fcm_options":{"image":"https://cdn.example/ab/a.mp4"},"payload":{"aps":\#
                {"alert":{"body":"B","subtitle":"S","title":"T"},"mutable-content":1}}},\#
                "notification":{"body":"B","title":"T"},"token":"tok"}}
                """#)
    }

    @Test("XML has its own escapes")
    func windows() throws {
        let text = try Self.text(.windows, [Self.attachment("a")], Self.push(.string("<&\"'\u{1}>")))
        #expect(text.contains("<text>&lt;&amp;&quot;&apos;\u{FFFD}&gt;</text>"))
    }

    @Test(
        "a toast's pictures are found as XML may write them",
        arguments: [
            #"<image src="https://a/b.jpg"/>"#, "<image src='https://a/b.jpg'/>", "<image\n src = 'https://a/b.jpg' />",
            #"<image data-src="https://a/c.jpg" src="https://a/b.jpg"/>"#,
        ])
    func toast(image: String) {
        let document = Array("<toast><visual><text>T</text>\(image)</visual></toast>".utf8)
        let check = PayloadCheck(document: document, provider: nil, circumstances: .init())
        #expect((check.urls, check.findings) == (["https://a/b.jpg"], []))
    }

    @Test("the same file several times in one push has identifiers that tell its attachments apart")
    func sameFile() throws {
        let same = Self.attachment("a")
        let text = try Self.text(.apns, [same, Self.attachment("a-2"), same, same])
        let list = try JSONDecoder().decode(DeliveredAttachments.self, from: Data(text.utf8)).list
        #expect(list.map(\.identifier) == ["a", "a-2", "a-3", "a-4"])
        #expect(list.map(\.url) == [same.url, Self.attachment("a-2").url, same.url, same.url])
    }

    private static func film(still: Bool = true) -> PushAttachment {
        var film = attachment("f", .mp4)
        if still { film.still = PushAttachment.Still(url: "https://cdn.example/ab/s.jpg", mediaType: .jpeg) }
        return film
    }

    private static let film = "https://cdn.example/ab/f.mp4"
    private static let still = "https://cdn.example/ab/s.jpg"

    @Test("where a film is not shown, its still picture is sent")
    func still() throws {
        let firebase = try Self.text(.fcm, [Self.film()])
        #expect(firebase.contains(#""android":{"notification":{"image":"\#(Self.still)"}}"#))
        #expect(firebase.contains(#""fcm_options":{"image":"\#(Self.film)"}"#))
        let oneSignal = try Self.text(.onesignal, [Self.film()])
        #expect(oneSignal.contains(#""big_picture":"\#(Self.still)","chrome_web_image":"\#(Self.still)""#))
        #expect(oneSignal.contains(#""ios_attachments":{"movie":"\#(Self.film)"}"#))
        for provider in [Provider.webpush, .windows] {
            let text = try Self.text(provider, [Self.attachment("w", .wav), Self.film(), Self.attachment("a")])
            #expect(text.contains(Self.still) && !text.contains(Self.film) && !text.contains("w.wav"))
        }
        #expect(!(try Self.text(.fcm, [Self.film(still: false)])).contains("android"))
    }

    @Test("a push without any picture is refused for who shows nothing else", arguments: [Provider.webpush, .windows])
    func noPicture(provider: Provider) {
        #expect {
            try Self.text(provider, [Self.film(still: false), Self.attachment("w", .wav)])
        } throws: { error in
            let rejection = error as? Rejection
            return rejection?.rule == .typeNotAccepted && rejection?.message.contains("shows pictures only") == true
        }
    }

    @Test("a film's URL where only pictures are shown is told", arguments: [Provider.webpush, .windows, .apns])
    func filmForPictures(provider: Provider) {
        for type in [MediaType.mp4, nil] {
            let findings = URLRules.findings(url: Self.film, mediaType: type, profile: .ios, provider: provider)
            #expect(findings.map(\.rule) == (provider == .apns ? [] : [.urlExtension]))
        }
        #expect(
            URLRules.findings(url: Self.still, mediaType: .jpeg, profile: .ios, provider: provider).isEmpty)
    }

    @Test("what one push says of its members comes before what another does")
    func overruled() throws {
        let own = try Push.read(
            Array(#"{"alert":"a","category":"C","texts":["1"],"custom":{"x":1,"y":1},"provider":"fcm"}"#.utf8))
        let other = try Push.read(Array(#"{"alert":"b","thread-id":"t","custom":{"y":2}}"#.utf8))
        let push = own.overruled(by: other)
        #expect((push.alert, push.category, push.threadID) == (.string("b"), "C", "t"))
        #expect((push.texts, push.provider) == (["1"], "fcm"))
        #expect(push.custom == ["x": .integer(1), "y": .integer(2)])
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let provider: Provider
        let rule: Rule
        let told: String
        let push: Push
        var testDescription: String { told }

        init(_ provider: Provider, _ rule: Rule, _ told: String, _ change: (inout Push) -> Void) {
            self.provider = provider
            self.rule = rule
            self.told = told
            var push = PayloadTests.push()
            change(&push)
            self.push = push
        }
    }

    @Test(arguments: [
        Refused(.apns, .extensionWillNotRun, "the push has no alert with a text") { $0.alert = nil },
        Refused(.webpush, .extensionWillNotRun, "the push has no alert with a text") { $0.alert = .string("") },
        Refused(.expo, .extensionWillNotRun, "expo shows a title or a body, and this alert has neither") {
            $0.alert = .object(["loc-key": .string("a")])
        },
        Refused(.apns, .badPush, "texts has 2 texts for 1 attachments") { $0.texts = ["a", "b"] },
        Refused(.apns, .badPush, #"custom has the key "aps", which is apns's"#) { $0.custom = ["aps": .null] },
        Refused(.apns, .badPush, #"custom has the key "attachments""#) { $0.custom = ["attachments": .null] },
        Refused(.klaviyo, .badPush, #"custom has the key "rich-media-type""#) {
            $0.custom = ["rich-media-type": .null]
        },
        Refused(.fcm, .badPush, #"custom has the key "fcm_options""#) { $0.custom = ["fcm_options": .null] },
        Refused(.windows, .badPush, "custom has keys, for which a Windows toast has no place") {
            $0.custom = ["a": .null]
        },
        Refused(.apns, .payloadTooLarge, "the payload has 4228 bytes of 4096; cut alert.body, which has 4001, by 132") {
            $0.alert = .object(["title": .string("T"), "body": .string(String(repeating: "b", count: 4001))])
        },
        Refused(.apns, .payloadTooLarge, "the payload has 4826 bytes of 4096; cut alert, which has 4620, by 730") {
            $0.alert = .string(String(repeating: "\u{1}", count: 770))
        },
        Refused(
            .apns, .payloadTooLarge,
            "the payload has 8256 bytes of 4096; leave out custom fields or attachments of 4160 bytes; the longest "
                + "text, custom \"a\", has only 2000"
        ) {
            $0.custom = Dictionary(
                (0..<4).map { (["a", "b", "c", "d"][$0], JSONValue.string(String(repeating: "x", count: 2000))) },
                uniquingKeysWith: { $1 })
        },
    ])
    func refused(_ test: Refused) {
        let rejection = #expect(throws: Rejection.self) {
            try Self.text(test.provider, [Self.attachment("a")], test.push)
        }
        #expect(rejection?.rule == test.rule)
        #expect(rejection?.message.hasPrefix(test.told) == true, "\(rejection?.message ?? "")")
    }

    @Test("what a provider's SDK does not read is told of")
    func warnings() throws {
        var push = Self.push()
        push.texts = ["a", "b"]
        let payload = try PushPayload(
            attachments: [Self.attachment("a"), Self.attachment("b")], push: push, provider: .braze, target: .init(),
            profile: .ios)
        #expect(payload.findings.map(\.rule) == [.tooManyAttachments, .tooManyAttachments])
        var plain = Self.attachment("a")
        plain.url = "http://cdn.example/a.png?b"
        let bad = try PushPayload(
            attachments: [plain], push: Self.push(), provider: .pinpoint, target: .init(), profile: .ios)
        #expect(bad.findings.map(\.rule) == [.notHTTPS, .urlExtension, .urlQuery])
        #expect(bad.findings.map(\.severity) == [.error, .error, .error])
        var cropped = Self.attachment("a")
        cropped.options = AttachmentOptions(identifier: "a", typeHint: "public.jpeg")
        cropped.options?.thumbnailClippingRectangle = UnitRectangle(x: 0, y: 0, width: 800, height: 600)
        let wide = try PushPayload(
            attachments: [cropped], push: Self.push(), provider: .apns, target: .init(), profile: .ios)
        #expect(wide.findings.map(\.rule) == [.badClippingRectangle])
    }

    @Test("an attachment comes from its manifest, a group's from those of its members")
    func manifests() throws {
        var member = Manifest(
            name: "a.png", status: .published, recipe: "r", createdAt: "now",
            source: .init(name: "a.png", path: "a.png"))
        member.output = Manifest.Output(width: 800, height: 600)
        member.output?.path = "media/ab/c d.jpg"
        member.output?.sha256 = "0123456789abcdef0123"
        var group = member
        group.attachments = [member, member]
        let list = try PushAttachment.list(of: group, baseURL: "https://cdn.example/media")
        #expect(
            list.map(\.url) == ["https://cdn.example/media/ab/c%20d.jpg", "https://cdn.example/media/ab/c%20d.jpg"])
        #expect(list[0].identifier == "0123456789abcdef")
        #expect(throws: PushAttachment.Unusable.withoutURL(name: "a.png")) {
            try PushAttachment.list(of: member, baseURL: nil)
        }
        member.output?.url = "https://other.example/c.jpg"
        #expect(try PushAttachment.list(of: member, baseURL: "https://x").map(\.url) == ["https://other.example/c.jpg"])
        member.rejection = Rejection(.truncated, rule: .doesNotDecode, stage: .render, "it ends")
        let refused = Rejection(.truncated, rule: .doesNotDecode, stage: .render, "a.png was refused: it ends")
        #expect(throws: PushAttachment.Unusable.notPublished(refused)) {
            try PushAttachment.list(of: member, baseURL: nil)
        }
        member.rejection = nil
        member.status = .planned
        #expect(throws: PushAttachment.Unusable.self) { try PushAttachment.list(of: member, baseURL: nil) }
    }

    @Test("options and a server's answer are judged along with the payload")
    func along() {
        func rules(_ options: String, _ answer: String? = nil) -> [Rule] {
            var circumstances = PayloadCheck.Circumstances()
            circumstances.response = answer.flatMap(ResponseHead.init)
            let aps = #""aps":{"alert":"a","mutable-content":1}"#
            let document = #"{\#(aps),"attachment":{"url":"\#(Self.url)","options":{\#(options)}}}"#
            return PayloadCheck(document: Array(document.utf8), provider: nil, circumstances: circumstances)
                .findings.map(\.rule)
        }
        #expect(rules("") == [])
        #expect(rules(#""thumbnail_clipping_rect":{"x":0,"y":0,"width":1,"height":1},"thumbnail_time":0"#) == [])
        #expect(rules(#""thumbnail_clipping_rect":{"x":0,"y":0,"width":2,"height":1}"#) == [.badClippingRectangle])
        #expect(
            rules(#""thumbnail_clipping_rect":{"x":0},"thumbnail_time":"a""#) == [
                .badClippingRectangle, .badThumbnailTime,
            ])
        #expect(
            rules("", "HTTP/2 302\ncontent-type: text/html\n") == [.servedType, .servedResponse, .servedCaching])
        #expect(ResponseHead("HTTP/2\n") == nil)
        #expect(ResponseHead("404") == nil)
    }
}
