/// Why a payload, whoever wrote it, would not show rich media.
public struct PayloadCheck: Equatable, Sendable {
    /// Whose SDK it is for; nil where that cannot be told.
    public let provider: Provider?
    /// Every URL that an SDK would read, in the order in which they are found.
    public let urls: [String]
    /// In the order of the rules.
    public let findings: [Finding]

    /// The longest document that is read, in bytes.
    public static let mostBytes = 1 << 20

    /// What is known besides the document.
    public struct Circumstances: Sendable {
        public var profile = Profile.ios
        /// Categories that the app has content extensions for; empty where any may be, or none.
        public var categories: [String] = []
        /// What was published; nil where that is not known.
        public var published: [PublishedMedia]?
        public var isVoIP = false
        /// What a server answered for the first URL; nil where nobody asked.
        public var response: ResponseHead?

        public init() {}
    }

    /// - Parameter provider: nil to tell it from the keys.
    public init(document: [UInt8], provider: Provider?, circumstances: Circumstances) {
        var list = FindingList(circumstances.profile)
        let form = PayloadDocument(document, given: provider, &list)
        self.provider = form?.provider
        urls = form?.urls ?? []
        if let form {
            if let limit = form.provider.limitBytes(isVoIP: circumstances.isVoIP), document.count > limit {
                list.add(
                    .payloadTooLarge, .payload,
                    "the payload has \(document.count) bytes of \(limit); cut it by \(document.count - limit)")
            }
            APSRules.judge(form, circumstances.categories, &list)
            TypeFieldRules.judge(form, &list)
            OptionFields.judge(form, &list)
            Self.judgeMedia(form, circumstances.published, &list)
            Self.judgeResponse(form, circumstances, &list)
        }
        findings = list.findings.sorted { $0.rule.order < $1.rule.order }
    }

    private static func judgeResponse(
        _ form: PayloadDocument, _ circumstances: Circumstances, _ list: inout FindingList
    ) {
        guard let head = circumstances.response, let url = form.urls.first else { return }
        let media = circumstances.published?.first { $0.isServed(at: url) }
        guard let type = media?.mediaType ?? TypeFieldRules.extensionTypes(of: url).first else { return }
        list.add(ResponseRules.findings(of: head, mediaType: type, bytes: media?.bytes, profile: list.profile))
    }

    private static func judgeMedia(
        _ form: PayloadDocument, _ published: [PublishedMedia]?, _ list: inout FindingList
    ) {
        guard !form.urls.isEmpty else {
            list.add(
                .mediaNotPublished, .payload,
                "it names no media where \(form.provider.rawValue) reads them: "
                    + form.provider.urlKeyPaths.map { $0.joined(separator: ".") }.joined(separator: ", "))
            return
        }
        if let most = form.provider.mostAttachments, form.read.count > most {
            list.add(
                .tooManyAttachments, .payload,
                "it names \(form.read.count) media, of which \(form.provider.rawValue) reads \(most)")
        }
        for url in form.urls {
            let media = published?.first { $0.isServed(at: url) }
            list.add(
                URLRules.findings(
                    url: url, mediaType: media?.mediaType, profile: list.profile, provider: form.provider))
            TypeFieldRules.judgeExtension(of: url, for: form.provider, &list)
            guard published != nil else { continue }
            if let media {
                if let fault = media.fault { list.add(.mediaNotPublished, .payload, "\(Push.quoted(url)) \(fault)") }
                if let fault = form.disagreement(with: media, at: url) {
                    list.add(.mediaNotPublished, .payload, "\(Push.quoted(url)) \(fault)")
                }
            } else {
                list.add(
                    .mediaNotPublished, .payload,
                    "\(Push.quoted(url)) is not among the media that were published; publish it first")
            }
        }
    }
}
