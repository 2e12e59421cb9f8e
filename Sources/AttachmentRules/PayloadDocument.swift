/// A payload that was read, and whose it is.
struct PayloadDocument {
    let provider: Provider
    /// Null for a Windows toast.
    let root: JSONValue
    /// Of a Windows toast, the document.
    let toast: String?
    /// The URLs that the SDK reads.
    let read: [String]
    /// All that stand where it might look, each once.
    let urls: [String]

    /// Reads it; nil for what is no payload, of which `list` is told.
    init?(_ document: [UInt8], given: Provider?, _ list: inout FindingList) {
        if let text = String(validUTF8: document), text.drop(while: \.isWhitespace).first == "<" {
            guard given == nil || given == .windows, let sources = WindowsToast.sources(in: text) else {
                list.add(.badPush, .payload, "it is XML, and no toast of Windows")
                return nil
            }
            (provider, root, toast) = (.windows, .null, text)
            (read, urls) = (sources, sources)
            return
        }
        do throws(JSONValue.ReadError) {
            root = try JSONValue(document: document, mostBytes: PayloadCheck.mostBytes)
        } catch {
            list.add(.badPush, .payload, "the payload \(error.reason)")
            return nil
        }
        guard root.members != nil else {
            list.add(.badPush, .payload, "the payload is no JSON object")
            return nil
        }
        toast = nil
        let root = root
        provider = given ?? Self.detected(in: root) ?? .apns
        let places = provider.form.urls.map { path in root.values(at: path).flatMap(Self.texts) }
        read = places.first { !$0.isEmpty } ?? []
        var seen: Set<String> = []
        urls = places.joined().filter { seen.insert($0).inserted }
    }

    /// A list stands where the SDK reads one text: each is told of.
    private static func texts(_ value: JSONValue) -> [String] {
        value.text.map { [$0] } ?? value.elements?.compactMap(\.text) ?? []
    }

    /// Where the object is that Apple calls `aps`: at the top of what a phone is delivered, or where the provider's API
    /// has it; nil for an API that has none.
    var apsPath: ProviderForm.Path? { root["aps"] != nil ? ["aps"] : provider.form.aps }

    /// The object that Apple calls `aps`.
    var aps: JSONValue? { apsPath.flatMap { root[$0] } }

    // Keys that several have come after those that one has: an `attachment` without an `attachment-url` beside it is
    // Home Assistant's if it has its words, and a list of `attachments` is for an extension of the app's own.
    private static func detected(in root: JSONValue) -> Provider? {
        if root[["attachment", "content-type"]] != nil || root[["attachment", "hide-thumbnail"]] != nil {
            return .homeassistant
        }
        if root["attachments"]?.elements != nil || root["attachment-url"] != nil { return .apns }
        let ordered = Provider.allCases.filter { ![.apns, .homeassistant].contains($0) } + [.apns]
        if let provider = ordered.first(where: { provider in
            provider.form.urls.contains { !root.values(at: $0).isEmpty }
        }) {
            return provider
        }
        // Without media it may still be told whose it is.
        return Provider.allCases.first { $0.form.aps.map { path in path.count > 1 && root[path] != nil } ?? false }
    }

    /// What the payload says of a file that is not so; nil for nothing.
    func disagreement(with media: PublishedMedia, at url: String) -> String? {
        let told =
            root.values(at: ["attachments", "*"]) + root.values(at: ["attachment"])
        guard let attachment = told.first(where: { $0["url"]?.text == url }) else { return nil }
        if let digest = attachment["sha256"]?.text, let sha256 = media.sha256, digest != sha256 {
            return "has another sha256 in the payload than was published"
        }
        if case .integer(let length) = attachment["bytes"], let bytes = media.bytes, length != bytes {
            return "has \(length) bytes by the payload, and \(bytes) were published"
        }
        return nil
    }
}
