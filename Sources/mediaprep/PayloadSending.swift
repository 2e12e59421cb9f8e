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
        let manifests = try request.operands.map(ManifestFile.read)
        var push = Push()
        if manifests.count == 1, let own = manifests[0].push { push = own }
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
        if let file = request.push {
            let told = try Push.read(try SmallFile.read(file, mostBytes: Push.mostBytes + 1))
            if told.order != nil {
                let order = try told.places(of: manifests.flatMap(\.namesOfAttachments))
                // Each text stays with its attachment.
                if let texts = push.texts, texts.count == order.count { push.texts = order.map { texts[$0] } }
                attachments = order.map { attachments[$0] }
            }
            push = push.overruled(by: told)
        }
        self.push = Self.push(push, request)
        self.attachments = attachments
        target = request.target
        provider = request.provider ?? push.provider.flatMap { Provider(rawValue: $0) } ?? .apns
        profile = try request.profile(named: push.profile)
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

extension Manifest {
    /// The names of its attachments, one for each that `PushAttachment.list` gives.
    fileprivate var namesOfAttachments: [String] { attachments?.flatMap(\.namesOfAttachments) ?? [name] }
}
