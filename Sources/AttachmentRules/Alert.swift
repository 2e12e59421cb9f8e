/// What `aps.alert` may be: a text, or an object of the members that Apple names.
///
/// Source: Apple's "Generating a remote notification".
enum Alert {
    static let textKeys: Set = [
        "title", "subtitle", "body", "launch-image", "title-loc-key", "subtitle-loc-key", "loc-key",
    ]
    static let listKeys: Set = ["title-loc-args", "subtitle-loc-args", "loc-args"]

    static func check(_ value: JSONValue) throws(Rejection) {
        if let fault = fault(in: value) { throw Rejection(badPush: fault) }
    }

    /// What is wrong with it, as a sentence without its end; nil for nothing.
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
                } else {
                    let known = (textKeys.union(listKeys)).sorted().joined(separator: ", ")
                    return "alert has no member \(Push.quoted(name)); there are: \(known)"
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
