/// A toast of Windows: the generic template with a hero picture (Microsoft, adaptive and interactive toasts).
enum WindowsToast {
    /// The most lines of text that the template shows.
    private static let mostTexts = 3

    static func document(push: Push, attachments: [PushAttachment]) -> [UInt8] {
        let texts = AlertTexts(push.alert)
        let lines = [texts.title, texts.subtitle, texts.body].compactMap(\.self).prefix(mostTexts)
        let text = lines.map { "<text>\(escaped($0))</text>" }.joined()
        let image = "<image placement=\"hero\" src=\"\(escaped(attachments[0].url))\"/>"
        return Array(
            "<toast><visual><binding template=\"ToastGeneric\">\(text)\(image)</binding></visual></toast>".utf8)
    }

    /// The values of `src` of every image, without their escapes; nil for what is no toast.
    static func sources(in document: String) -> [String]? {
        guard document.contains("<toast") else { return nil }
        return document.split(separator: "<").compactMap { part in
            guard part.hasPrefix("image"), let match = part.firstMatch(of: /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/) else {
                return nil
            }
            return (match.output.1 ?? match.output.2).map(unescaped)
        }
    }

    /// True where the toast has a text that is not empty.
    static func hasText(_ document: String) -> Bool {
        document.split(separator: "<").contains { part in
            guard part.hasPrefix("text"), let end = part.firstIndex(of: ">") else { return false }
            return part[part.index(after: end)...].contains { !$0.isWhitespace }
        }
    }

    private static let entities = [
        ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&apos;"),
    ]

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if let entity = entities.first(where: { $0.0 == String(Character(scalar)) }) {
                escaped += entity.1
            } else if isAllowed(scalar) {
                escaped.unicodeScalars.append(scalar)
            } else {
                // XML 1.0 has no way to write it at all.
                escaped += "\u{FFFD}"
            }
        }
        return escaped
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        // The ampersand last: what it stands in front of is no entity any more.
        entities.reversed().reduce(String(text)) { $0.replacing($1.1, with: $1.0) }
    }
}
