/// How values are written in a key file.
enum KeyFileText {
    /// With the escapes that GKeyFile reads back: backslashes, spaces at either end, and semicolons in a list.
    static func escaped(_ value: String, inList: Bool) -> String {
        let scalars = Array(value.unicodeScalars)
        let first = scalars.firstIndex { $0 != " " } ?? scalars.endIndex
        let last = scalars.lastIndex { $0 != " " } ?? scalars.endIndex
        var text = ""
        for (position, scalar) in scalars.enumerated() {
            switch scalar {
            case #"\"#: text += #"\\"#
            case ";" where inList: text += #"\;"#
            case " " where position < first || position > last: text += #"\s"#
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// False for what would break its line, or a terminal.
    static func isPrintable(_ value: String) -> Bool {
        value.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}
