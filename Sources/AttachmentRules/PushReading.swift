extension Push {
    /// The longest `push.json`, in bytes; a payload has 5120 at most.
    public static let mostBytes = 64 << 10

    /// Reads a `push.json`: a JSON object with the members of `Push` and no other.
    ///
    /// - Throws: rule PAY008 with the member that is wrong, and what it takes.
    public static func read(_ document: [UInt8]) throws(Rejection) -> Push {
        let value: JSONValue
        do throws(JSONValue.ReadError) {
            value = try JSONValue(document: document, mostBytes: mostBytes, isForSending: true)
        } catch {
            throw Rejection(badPush: "the push \(error.reason)")
        }
        guard case .object(let members) = value else { throw Rejection(badPush: "the push is no JSON object") }
        var push = Push()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let key = CodingKeys(rawValue: name) else {
                let known = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
                throw Rejection(badPush: "the push has no member \(Self.quoted(name)); there are: \(known)")
            }
            try push.take(value, for: key)
        }
        if let order = push.order, let texts = push.texts, texts.count != order.count {
            throw Rejection(
                badPush: "texts has \(texts.count) texts for the \(order.count) attachments of order; give one for each"
            )
        }
        return push
    }

    private mutating func take(_ value: JSONValue, for key: CodingKeys) throws(Rejection) {
        switch key {
        case .order:
            let names = try Self.strings(value, of: key)
            if let twice = Self.repeated(names) {
                throw Rejection(badPush: "order names \(Self.quoted(twice)) more than once")
            }
            order = names
        case .texts: texts = try Self.strings(value, of: key)
        case .category: category = try Self.word(value, of: key)
        case .alert:
            try Alert.check(value)
            alert = value
        case .threadID: threadID = try Self.word(value, of: key)
        case .hidesThumbnails:
            guard case .bool(let hides) = value else {
                throw Rejection(badPush: "hide-thumbnails takes true or false, not \(value.kind)")
            }
            hidesThumbnails = hides
        case .custom:
            guard case .object(let members) = value else {
                throw Rejection(badPush: "custom takes an object with the app's own keys, not \(value.kind)")
            }
            if members["aps"] != nil {
                throw Rejection(badPush: "custom has the key aps, which is Apple's; use alert, category and thread-id")
            }
            custom = members
        case .profile: profile = try Self.word(value, of: key)
        case .provider:
            let word = try Self.word(value, of: key)
            guard Provider(rawValue: word) != nil else {
                throw Rejection(
                    badPush: "provider is \(Self.quoted(word)), which is none; there are: \(Provider.names)")
            }
            provider = word
        }
    }

    private static func word(_ value: JSONValue, of key: CodingKeys) throws(Rejection) -> String {
        guard case .string(let text) = value, !text.isEmpty else {
            throw Rejection(badPush: "\(key.rawValue) takes a text that is not empty, not \(value.kind)")
        }
        return text
    }

    private static func strings(_ value: JSONValue, of key: CodingKeys) throws(Rejection) -> [String] {
        guard case .array(let values) = value else {
            throw Rejection(badPush: "\(key.rawValue) takes a list of texts, not \(value.kind)")
        }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else {
                throw Rejection(
                    badPush: "\(key.rawValue) takes a list of texts, and number \(texts.count + 1) is \(value.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    static func repeated(_ names: [String]) -> String? {
        // By bytes: two names that only look the same are two files.
        var seen: Set<[UInt8]> = []
        return names.first { !seen.insert(Array($0.utf8)).inserted }
    }

    /// The text for a message, on one line and not longer than a file's name.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(255).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                "\\u{" + String(scalar.value, radix: 16) + "}"
            default: String(Character(scalar))
            }
        }
        return "\"" + shown.joined() + "\""
    }
}

extension Rejection {
    init(badPush message: String) {
        self.init(.badPush, rule: .badPush, stage: .push, message)
    }
}
