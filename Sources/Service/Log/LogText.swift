internal import Configuration
internal import Kernel

/// Values of the log, made fit for one line.
enum LogText {
    /// Most bytes of one value; more than the six for each byte that JSON needs for a name of control characters.
    static let maximumBytes = 2048

    /// The text with escapes for what would end the value, its line, or change a terminal: those of
    /// `FilePath.escapedForTerminal`, or JSON's.
    ///
    /// - Returns: the text, which ends in `…` where it was too long, and whether it has to stand in quotes.
    static func escaped(_ text: String, as format: ServeSettings.LogFormat) -> (text: String, needsQuotes: Bool) {
        if text.utf8.count <= maximumBytes, !text.isEmpty, text.utf8.allSatisfy(isPlain) { return (text, false) }
        var result = ""
        var needsQuotes = text.isEmpty
        for scalar in text.unicodeScalars {
            let (piece, isEscape) = escaped(scalar, as: format)
            needsQuotes = needsQuotes || isEscape || mustBeQuoted(scalar)
            guard result.utf8.count + piece.utf8.count <= maximumBytes else {
                return (result + "…", true)
            }
            result += piece
        }
        return (result, needsQuotes)
    }

    private static func escaped(
        _ scalar: Unicode.Scalar, as format: ServeSettings.LogFormat
    ) -> (text: String, isEscape: Bool) {
        if scalar == "\"" { return (#"\""#, true) }
        let plain = String(scalar)
        // Which characters do harm is for the path's own form to know.
        let terminal = FilePath(plain).escapedForTerminal
        guard terminal.unicodeScalars.first != scalar || terminal.unicodeScalars.count > 1 else { return (plain, false) }
        switch format {
        case .text: return (terminal, true)
        case .json where scalar == #"\"#: return (terminal, true)
        case .json:
            let units = UTF16.encode(scalar).map(Array.init) ?? []
            return (
                units.map { unit in
                    let digits = String(unit, radix: 16)
                    return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
                }.joined(), true
            )
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && ![UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: #"\"#)].contains(byte)
    }

    private static func mustBeQuoted(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "=" || scalar.properties.generalCategory == .spaceSeparator
    }
}
