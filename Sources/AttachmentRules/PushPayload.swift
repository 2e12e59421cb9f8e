/// The document to send for one push: to APNs, or to a provider's API.
public struct PushPayload: Equatable, Sendable {
    public let provider: Provider
    /// What is sent, in UTF-8.
    public let document: [UInt8]
    /// The same, laid out for people; a document in XML has only the one form.
    public let documentForPeople: [UInt8]
    /// What it does not say as well as it could: rules PAY007, URL and OPT.
    public let findings: [Finding]

    /// Where a push goes, for those providers whose documents say so.
    public struct Target: Equatable, Sendable {
        /// Of one device or browser (FCM, Expo).
        public var token: String?
        /// The app at the provider (OneSignal).
        public var appID: String?
        /// A VoIP push, which may be longer.
        public var isVoIP = false

        public init() {}
    }

    /// - Parameters:
    ///   - attachments: in the order in which they are shown.
    ///   - push: its `texts` belong to the attachments in that order; its `order`, `profile` and `provider` are the
    ///     caller's to follow.
    ///   - profile: whose severities hold for what is found of URLs.
    /// - Throws: PAY001 with the text to cut and by how much, PAY002 without an alert, PAY008 where `custom` has a key
    ///   that is the provider's.
    public init(
        attachments: [PushAttachment], push: Push, provider: Provider, target: Target, profile: Profile
    ) throws(Rejection) {
        guard !attachments.isEmpty else { throw Rejection(badPush: "the push has no attachment") }
        if let texts = push.texts, texts.count != attachments.count {
            throw Rejection(
                badPush:
                    "texts has \(texts.count) texts for \(attachments.count) attachments; give one for each, or none")
        }
        guard let alert = push.alert, Alert.isShown(alert) else {
            throw Rejection(
                .badPush, rule: .extensionWillNotRun, stage: .push,
                "the push has no alert with a text, without which no service extension runs; give a title or a body")
        }
        try Alert.check(alert)
        if provider.takesTextsAlone, AlertTexts(alert).isEmpty {
            throw Rejection(
                .badPush, rule: .extensionWillNotRun, stage: .push,
                "\(provider.rawValue) shows a title or a body, and this alert has neither; give one")
        }
        let sent = provider.showsPicturesOnly ? attachments.compactMap(\.asPicture) : attachments
        guard !sent.isEmpty else {
            throw Rejection(
                .typeNotAllowed, rule: .typeNotAccepted, stage: .push,
                "\(provider.rawValue) shows pictures only, and the push has none, nor a film's still picture; add one")
        }
        let template = PayloadTemplate(
            attachments: Self.toldApart(sent).map { $0.hidden(push.hidesThumbnails) }, provider: provider,
            target: target)
        let content = try template.content(of: push)
        if let limit = provider.limitBytes(isVoIP: target.isVoIP), content.bytes.count > limit {
            throw try PayloadCut(template: template, push: push, bytes: content.bytes.count, limit: limit).rejection()
        }
        self.provider = provider
        document = content.bytes
        documentForPeople = content.bytesForPeople
        var list = FindingList(profile)
        if let most = provider.mostAttachments, attachments.count > most {
            list.add(
                .tooManyAttachments, .payload,
                "\(provider.rawValue) reads \(most) attachment, and there are \(attachments.count); the others are left out"
            )
        }
        if let texts = push.texts?.dropFirst(template.textsCarried), texts.contains(where: { !$0.isEmpty }) {
            list.add(
                .tooManyAttachments, .payload,
                "\(provider.rawValue) has no place for \(template.textsCarried > 0 ? "more than one text" : "an attachment's text"); the others are left out"
            )
        }
        for attachment in sent {
            list.add(
                URLRules.findings(
                    url: attachment.url, mediaType: attachment.mediaType, profile: profile, provider: provider))
            TypeFieldRules.judgeExtension(of: attachment.url, for: provider, &list)
            if template.namesPicture, let still = attachment.still {
                list.add(URLRules.findings(url: still.url, mediaType: still.mediaType, profile: profile))
            }
            guard let options = attachment.options else { continue }
            let facts = AttachmentFacts(bytes: attachment.bytes ?? 1, mediaType: attachment.mediaType)
            list.add(OptionRules.findings(of: options, facts: facts, profile: profile))
        }
        findings = list.findings
    }

    /// The same file twice in one push is two attachments, whose identifiers go by their bytes.
    private static func toldApart(_ attachments: [PushAttachment]) -> [PushAttachment] {
        var taken = Set(attachments.map(\.identifier))
        var seen: Set<String> = []
        return attachments.map { attachment in
            guard !seen.insert(attachment.identifier).inserted else { return attachment }
            var other = attachment
            var number = 2
            while !taken.insert("\(attachment.identifier)-\(number)").inserted { number += 1 }
            other.identifier = "\(attachment.identifier)-\(number)"
            return other
        }
    }

    /// Length of what is sent, in bytes.
    public var bytes: Int { document.count }
}
