internal import AttachmentRules
internal import Service

/// A push put together from manifests, a `push.json` and options.
struct PayloadSending {
    private let attachments: [PushAttachment]
    private let push: Push
    private let provider: Provider
    private let target: PushPayload.Target
    private let profile: Profile

    /// - Throws: `UsageError` for what cannot be read, `Rejection` for what cannot be sent.
    init(_ request: PayloadRequest) throws {
        var manifests = try request.operands.map(ManifestFile.read)
        var push = Push()
        if manifests.count == 1, let own = manifests[0].push { push = own }
        if let file = request.push {
            push = try Push.read(try SmallFile.read(file, mostBytes: Push.mostBytes + 1))
            if push.order != nil, manifests.count > 1 {
                let names = try push.arranged(manifests.map(\.name))
                manifests = names.compactMap { name in manifests.first { $0.name == name } }
            }
        }
        self.push = Self.push(push, request)
        target = request.target
        provider = request.provider ?? push.provider.flatMap { Provider(rawValue: $0) } ?? .apns
        profile = try request.profile(named: push.profile)
        var attachments: [PushAttachment] = []
        for manifest in manifests {
            do throws(PushAttachment.Unusable) {
                attachments += try PushAttachment.list(of: manifest, baseURL: request.baseURL)
            } catch {
                switch error {
                case .notPublished(let rejection): throw rejection
                case .withoutURL(let name):
                    throw UsageError(message: "the manifest of \(name) has no URL; give --base-url")
                }
            }
        }
        self.attachments = attachments
    }

    func payload() throws(Rejection) -> PushPayload {
        try PushPayload(
            attachments: attachments, push: push, provider: provider, target: target, profile: profile)
    }

    private static func push(_ push: Push, _ request: PayloadRequest) -> Push {
        var push = push
        if !request.texts.isEmpty {
            var members: [String: JSONValue] = [:]
            switch push.alert {
            case .object(let own): members = own
            case .string(let text): members["body"] = .string(text)
            default: break
            }
            push.alert = .object(members.merging(request.texts.mapValues { .string($0) }) { $1 })
        }
        push.category = request.category ?? push.category
        push.threadID = request.threadID ?? push.threadID
        if let custom = request.custom { push.custom = (push.custom ?? [:]).merging(custom) { $1 } }
        return push
    }
}
