/// The rule PAY005: the fields by which an SDK names the file that it downloads.
enum TypeFieldRules {
    static func judge(_ document: PayloadDocument, _ list: inout FindingList) {
        let root = document.root
        guard let url = document.read.first else { return }
        let types = extensionTypes(of: url)
        switch document.provider {
        case .braze:
            judge(root[["ab", "att", "type"]], "ab.att.type", standard: nil, types, &list)
        case .klaviyo:
            // The SDK takes jpg where the field is missing.
            judge(root["rich-media-type"], "rich-media-type", standard: "jpg", types, &list)
        case .clevertap:
            judgeWord(
                root["ct_mediaType"], "ct_mediaType", isNeeded: true, CleverTap.words, types.map(CleverTap.word), &list)
        case .homeassistant:
            let words = types.compactMap(HomeAssistant.word)
            // Other words are known to its parser too, and tell of types that cannot be held against.
            if !words.isEmpty {
                judgeWord(
                    root[["attachment", "content-type"]], "attachment.content-type", isNeeded: false, [], words, &list)
            }
        case .apns:
            for attachment in root.values(at: ["attachments", "*"]) + root.values(at: ["attachment"]) {
                judgeHint(attachment["uti"], "uti", of: attachment["url"]?.text, &list)
            }
        case .notifee:
            for attachment in root.values(at: ["notifee_options", "ios", "attachments", "*"]) {
                judgeHint(attachment["typeHint"], "typeHint", of: attachment["url"]?.text, &list)
            }
        default: break
        }
    }

    /// An extension that has to be the URL's type's.
    private static func judge(
        _ value: JSONValue?, _ key: String, standard: String?, _ types: [MediaType], _ list: inout FindingList
    ) {
        let known = types.flatMap(\.extensions)
        let advice = known.first.map { "give \($0)" } ?? "give the URL's extension"
        guard let word = value?.text ?? (value == nil ? standard : nil) else {
            list.add(.badTypeField, .payload, "\(key) is missing, from which the file gets its extension; \(advice)")
            return
        }
        if !known.isEmpty, !known.contains(word) {
            list.add(.badTypeField, .payload, "\(key) is \(Push.quoted(word)), which is not the URL's type; \(advice)")
        }
    }

    /// - Parameters:
    ///   - words: that the SDK knows; empty where not all of them are known.
    ///   - right: those that stand for the URL's type; empty where that is not known.
    private static func judgeWord(
        _ value: JSONValue?, _ key: String, isNeeded: Bool, _ words: [String], _ right: [String],
        _ list: inout FindingList
    ) {
        let advice = right.first.map { "give \($0)" } ?? "there are: \(words.joined(separator: ", "))"
        guard let value else {
            if isNeeded { list.add(.badTypeField, .payload, "\(key) is missing, and nothing is shown; \(advice)") }
            return
        }
        let word = value.text ?? ""
        if !(words.isEmpty || words.contains(word)) || !(right.isEmpty || right.contains(word)) {
            list.add(.badTypeField, .payload, "\(key) is \(Push.quoted(word)), which is not the URL's type; \(advice)")
        }
    }

    private static func judgeHint(_ value: JSONValue?, _ key: String, of url: String?, _ list: inout FindingList) {
        guard let value else { return }
        let right = url.map(extensionTypes)?.compactMap(\.uti) ?? []
        let hint = value.text ?? ""
        let known = MediaType(uti: hint)?.uti
        if known == nil || !(right.isEmpty || right.contains { $0 == known }) {
            let advice = right.first.map { "give \($0)" } ?? "give a UTI such as public.jpeg"
            list.add(.badTypeField, .payload, "\(key) is \(Push.quoted(hint)), which is not the URL's type; \(advice)")
        }
    }

    /// The types that the URL's extension stands for, in any case of letters.
    static func extensionTypes(of url: String) -> [MediaType] {
        fileExtension(of: url).map(MediaType.named) ?? []
    }

    /// A file that the SDK has no extension for is attached as one of no type, which iOS refuses.
    static func judgeExtension(of url: String, for provider: Provider, _ list: inout FindingList) {
        guard let known = provider.extensions, let word = fileExtension(of: url), !known.contains(word) else { return }
        list.add(
            .typeNotAccepted, .payload,
            "\(provider.rawValue)'s SDK attaches no \(Push.quoted("." + word)); it knows \(known.sorted().joined(separator: ", "))"
        )
    }

    /// Of the path's last name, in lower case.
    private static func fileExtension(of url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }
}
