/// The rules PAY002, PAY004 and PAY006: what Apple's systems make of a payload.
enum APSRules {
    static func judge(_ document: PayloadDocument, _ categories: [String], _ list: inout FindingList) {
        switch document.provider {
        case .windows:
            if document.toast.map(WindowsToast.hasText) != true {
                list.add(.extensionWillNotRun, .payload, raises: false, "the toast has no text; give it one")
            }
        case .webpush:
            if document.root["title"]?.text?.isEmpty != false {
                list.add(.extensionWillNotRun, .payload, "there is no title, without which nothing is shown; give one")
            }
        case .onesignal:
            judgeFlag(document.root, "mutable_content", &list)
            let contents = document.root["contents"]?.members ?? [:]
            if !contents.values.contains(where: { $0.text?.isEmpty == false }) { addNoAlert("contents", &list) }
            judgeCategory(document.root["ios_category"], "ios_category", categories, &list)
        case .expo where document.apsPath == nil:
            judgeFlag(document.root, "mutableContent", &list)
            if ["title", "body"].allSatisfy({ document.root[$0]?.text?.isEmpty != false }) {
                addNoAlert("title and body", &list)
            }
            judgeCategory(document.root["categoryId"], "categoryId", categories, &list)
        default: judgeAPS(document, categories, &list)
        }
    }

    private static func judgeAPS(_ document: PayloadDocument, _ categories: [String], _ list: inout FindingList) {
        let place = (document.apsPath ?? []).joined(separator: ".")
        let members = document.aps?.members ?? [:]
        if document.aps != nil, document.aps?.members == nil {
            list.add(.badAPS, .payload, "\(place) takes an object")
        }
        let mutable = members["mutable-content"]
        if mutable?.double != 1 {
            let found = mutable.map { "is \($0.shown)" } ?? "is missing"
            list.add(
                .extensionWillNotRun, .payload,
                "\(place).mutable-content \(found), and has to be 1 for the service extension to run")
        }
        let notification = document.provider == .fcm ? document.root["message"]?["notification"] : nil
        if !(members["alert"].map(Alert.isShown) ?? false), !(notification.map(Alert.isShown) ?? false) {
            addNoAlert("\(place).alert", &list)
        }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let fault = fault(in: value, of: key) else { continue }
            list.add(.badAPS, .payload, as: knownKeys.contains(key) ? .error : .warning, "\(place).\(fault)")
        }
        if let stranger = members["alert"].flatMap(Alert.stranger) {
            list.add(.badAPS, .payload, as: .warning, "\(place).\(stranger)")
        }
        judgeCategory(members["category"], "\(place).category", categories, &list)
    }

    private static func addNoAlert(_ place: String, _ list: inout FindingList) {
        list.add(
            .extensionWillNotRun, .payload,
            "\(place) is without a text, and no service extension runs for a push that shows nothing")
    }

    /// Of APIs that write `aps` themselves: what they do without the key is theirs, and not known.
    private static func judgeFlag(_ root: JSONValue, _ key: String, _ list: inout FindingList) {
        switch root[key] {
        case .bool(true): break
        case nil:
            list.add(
                .extensionWillNotRun, .payload, as: .warning, "\(key) is missing; give true for the extension to run")
        case let other?:
            list.add(
                .extensionWillNotRun, .payload,
                "\(key) is \(other.shown), and has to be true")
        }
    }

    private static func judgeCategory(
        _ value: JSONValue?, _ place: String, _ categories: [String], _ list: inout FindingList
    ) {
        guard !categories.isEmpty else { return }
        let known = categories.joined(separator: ", ")
        guard let category = value?.text, !category.isEmpty else {
            list.add(
                .unknownCategory, .payload,
                "\(place) is missing, so that no content extension shows it; there are: \(known)")
            return
        }
        if !categories.contains(category) {
            list.add(
                .unknownCategory, .payload,
                "\(place) is \(Push.quoted(category)), for which there is no content extension; there are: \(known)")
        }
    }

    private static let textKeys: Set = ["thread-id", "category", "target-content-id", "filter-criteria"]
    private static let levels = ["passive", "active", "time-sensitive", "critical"]
    /// Of Live Activities, whose values are not looked at.
    private static let activityKeys: Set = [
        "timestamp", "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes",
    ]
    private static let knownKeys: Set = textKeys.union(activityKeys).union([
        "alert", "badge", "sound", "content-available", "mutable-content", "interruption-level", "relevance-score",
    ])

    /// What is wrong with one member, as a sentence that begins with its key; nil for nothing.
    private static func fault(in value: JSONValue, of key: String) -> String? {
        switch key {
        case "alert": return Alert.fault(in: value)
        case "badge":
            guard case .integer(let number) = value, number >= 0 else { return "badge takes a whole number from 0" }
        case "sound":
            guard value.isText || value.members != nil else { return "sound takes a name or an object" }
        case "content-available":
            guard value.double == 1 else { return "content-available takes 1" }
        case "interruption-level":
            guard let level = value.text, levels.contains(level) else {
                return "interruption-level takes \(levels.joined(separator: ", "))"
            }
        case "relevance-score":
            guard let score = value.double, (0...1).contains(score) else {
                return "relevance-score takes a number from 0 to 1"
            }
        case _ where textKeys.contains(key):
            guard value.isText else { return "\(key) takes a text, not \(value.kind)" }
        case _ where !knownKeys.contains(key):
            return "\(Push.quoted(key)) is no key that Apple names; keys of the app's own stand beside aps"
        default: break
        }
        return nil
    }
}
