import AttachmentRules
import Testing

/// What a provider's SDK makes of an attachment, beyond where it looks for it.
@Suite struct ProviderAttachmentTests {
    private static func push(_ change: (inout Push) -> Void = { _ in }) -> Push {
        var push = Push()
        push.alert = .object(["title": .string("A")])
        change(&push)
        return push
    }

    private static func payload(
        _ type: MediaType, _ provider: Provider, _ push: Push = push()
    ) throws -> PushPayload {
        let name = "https://a/m/aa/b.\(type.preferredExtension)"
        return try PushPayload(
            attachments: [PushAttachment(url: name, mediaType: type, identifier: "aa")], push: push,
            provider: provider, target: .init(), profile: .ios)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let provider: Provider
        let type: MediaType
        let isTaken: Bool

        init(_ provider: Provider, _ type: MediaType, _ isTaken: Bool) {
            self.provider = provider
            self.type = type
            self.isTaken = isTaken
        }

        var testDescription: String { "\(provider.rawValue) and \(type.rawValue)" }
    }

    @Test(
        "a type that an SDK has no extension for is told where the payload is written and where it is checked",
        arguments: [
            Case(.airship, .jpeg, true), Case(.airship, .heic, false), Case(.leanplum, .mp4, false),
            Case(.adobe, .caf, false), Case(.adobe, .wav, true), Case(.clevertap, .quickTime, false),
            Case(.clevertap, .mp4, true), Case(.onesignal, .quickTime, false), Case(.onesignal, .m4v, true),
            Case(.apns, .heic, true), Case(.braze, .caf, true),
        ])
    func extensions(_ test: Case) throws {
        let payload = try Self.payload(test.type, test.provider)
        let isTold = payload.findings.contains { $0.rule == .typeNotAccepted && $0.severity == .error }
        #expect(isTold == !test.isTaken)
        let check = PayloadCheck(document: payload.document, provider: test.provider, circumstances: .init())
        #expect(check.findings.contains { $0.rule == .typeNotAccepted } == !test.isTaken)
    }

    @Test("texts with nothing in them are left out, and a check finds nothing", arguments: Provider.allCases)
    func emptyTexts(_ provider: Provider) throws {
        for alert in [["title": "", "body": "Hi"], ["title": "Hi", "body": ""]] {
            let push = Self.push { $0.alert = .object(alert.mapValues { .string($0) }) }
            let payload = try Self.payload(.jpeg, provider, push)
            let check = PayloadCheck(document: payload.document, provider: provider, circumstances: .init())
            #expect(check.findings.filter { $0.severity == .error } == [])
        }
    }

    @Test("a push says whether thumbnails are hidden, where the SDK reads that", arguments: [true, false])
    func hidden(_ isHidden: Bool) throws {
        let push = try Push.read(Array(#"{"alert":"A","hide-thumbnails":\#(isHidden)}"#.utf8))
        let words: [(Provider, String)] = [
            (.apns, #""thumbnail_hidden":true"#), (.airship, #""hidden":true"#), (.notifee, #""thumbnailHidden":true"#),
            (.homeassistant, #""hide-thumbnail":true"#),
        ]
        for (provider, word) in words {
            let text = String(decoding: try Self.payload(.jpeg, provider, push).document, as: UTF8.self)
            #expect(text.contains(word) == isHidden, "\(provider)")
        }
        #expect(throws: Rejection.self) { try Push.read(Array(#"{"hide-thumbnails":1}"#.utf8)) }
    }
}
