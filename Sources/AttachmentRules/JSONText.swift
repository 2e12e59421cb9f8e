extension JSONValue {
    /// The value as JSON in UTF-8 on one line: members sorted by their bytes, slashes and what is not ASCII as they
    /// are, so that the same value has the same bytes on every system.
    public var serialized: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: nil)
        return bytes
    }

    /// The same for people: a member or element a line, indented by two blanks a level, with a line feed at the end.
    public var serializedForPeople: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, indent: 0)
        return bytes + [0x0A]
    }

    /// What the text takes between its quotes, in bytes.
    static func escapedLength(of text: String) -> Int {
        text.utf8.reduce(0) { $0 + (escape(of: $1)?.count ?? 1) }
    }

    private func write(to bytes: inout [UInt8], indent: Int?) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += "\(value)".utf8
        // JSON has no word for what is no number.
        case .number(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let values):
            Self.write("[", values, "]", to: &bytes, indent: indent) { $0.write(to: &$1, indent: $2) }
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            Self.write("{", sorted, "}", to: &bytes, indent: indent) { member, bytes, indent in
                Self.write(member.key, to: &bytes)
                bytes += (indent == nil ? ":" : ": ").utf8
                member.value.write(to: &bytes, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ opening: String, _ elements: [Element], _ closing: String, to bytes: inout [UInt8], indent: Int?,
        each: (Element, inout [UInt8], Int?) -> Void
    ) {
        func newLine(_ level: Int?) -> [UInt8] { level.map { [0x0A] + [UInt8](repeating: 0x20, count: 2 * $0) } ?? [] }
        let inner = indent.map { $0 + 1 }
        bytes += opening.utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes += ",".utf8 }
            bytes += newLine(inner)
            each(element, &bytes, inner)
        }
        if !elements.isEmpty { bytes += newLine(indent) }
        bytes += closing.utf8
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if let escape = escape(of: byte) { bytes += escape } else { bytes.append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// RFC 8259, section 7: quotes, backslashes and control characters have to be escaped, and nothing else; nil for the others.
    private static func escape(of byte: UInt8) -> [UInt8]? {
        switch byte {
        case UInt8(ascii: "\""): Array(#"\""#.utf8)
        case UInt8(ascii: "\\"): Array(#"\\"#.utf8)
        case 0x08: Array(#"\b"#.utf8)
        case 0x09: Array(#"\t"#.utf8)
        case 0x0A: Array(#"\n"#.utf8)
        case 0x0C: Array(#"\f"#.utf8)
        case 0x0D: Array(#"\r"#.utf8)
        case 0..<0x20: Array(#"\u00"#.utf8) + [hexDigit(byte >> 4), hexDigit(byte & 0xF)]
        default: nil
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }
}
