/// The texts of an alert, for providers that take them one by one.
struct AlertTexts {
    var title: String?
    var subtitle: String?
    var body: String?
    /// True where the alert says more than a title and a body.
    var hasMore = false

    init(_ alert: JSONValue?) {
        switch alert {
        case .string(let text): body = text
        case .object(let members):
            title = Self.shown(members["title"])
            subtitle = Self.shown(members["subtitle"])
            body = Self.shown(members["body"])
            hasMore = members.keys.contains { $0 != "title" && $0 != "body" }
        default: break
        }
    }

    /// A text with nothing in it is none to an API that asks for one.
    private static func shown(_ value: JSONValue?) -> String? {
        value?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True where there is neither a title nor a body to show.
    var isEmpty: Bool { [title, body].allSatisfy { $0?.isEmpty != false } }

    /// The texts that there are, under these keys.
    func members(title titleKey: String, body bodyKey: String) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members[titleKey] = title.map { .string($0) }
        members[bodyKey] = body.map { .string($0) }
        return members
    }
}
