public import AttachmentRules
internal import FoundationEssentials

/// What commands print for programs: one JSON object a line, with its members in the order of their names.
public enum JSONLine {
    public static func of(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(value) else {
            preconditionFailure("what is told holds only text, whole numbers and finite ratios")
        }
        return Array(json) + Array("\n".utf8)
    }

    /// Attachment options as a manifest has them; nil for what is none.
    public static func options(_ json: [UInt8]) -> AttachmentOptions? {
        try? JSONDecoder().decode(AttachmentOptions.self, from: Data(json))
    }
}
