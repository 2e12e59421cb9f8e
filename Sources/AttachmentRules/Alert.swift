/// What `aps.alert` may be: a text, or an object of the members that Apple names.
///
/// Source: Apple's "Generating a remote notification".
enum Alert {
    static let textKeys: Set = [
        "title", "subtitle", "body", "launch-image", "title-loc-key", "subtitle-loc-key", "loc-key",
    ]
    static let listKeys: Set = ["title-loc-args", "subtitle-loc-args", "loc-args"]

    static func check(_ value: JSONValue) throws(Rejection) {
        if let fault = fault(in: value) ?? stranger(in: value) { throw Rejection(badPush: fault) }
    }

    /// A member that Apple does not name and phones pass over, as a sentence without its end; nil for none.
    static func stranger(in value: JSONValue) -> String? {
        let known = textKeys.union(listKeys)
        guard let name = value.members?.keys.sorted().first(where: { !known.contains($0) }) else { return nil }
        return "alert has no member \(Push.quoted(name)); there are: \(known.sorted().joined(separator: ", "))"
    }

    /// A value that is of the wrong kind, as a sentence without its end; nil for none.
    static func fault(in value: JSONValue) -> String? {
        switch value {
        case .string: return nil
        case .object(let members):
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if textKeys.contains(name) {
                    guard case .string = value else { return "alert.\(name) takes a text, not \(value.kind)" }
                } else if listKeys.contains(name) {
                    guard case .array(let values) = value, values.allSatisfy(\.isText) else {
                        return "alert.\(name) takes a list of texts, not \(value.kind)"
                    }
                }
            }
            return nil
        default: return "alert takes a text or an object, not \(value.kind)"
        }
    }

    /// True where a phone shows something of it.
    static func isShown(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): !text.isEmpty
        case .object(let members):
            ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"].contains { key in
                if case .string(let text) = members[key] { !text.isEmpty } else { false }
            }
        default: false
        }
    }
}
