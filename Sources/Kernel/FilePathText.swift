extension FilePath {
    /// The path for a manifest: valid UTF-8 as it is; otherwise each invalid byte, and each `%`, as `%XX`.
    public var display: String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return text { piece in
            switch piece {
            case .scalar("%"): "%25"
            case .scalar(let scalar): String(scalar)
            case .invalid(let byte): "%" + hexadecimal(byte, uppercase: true)
            }
        }
    }

    /// The path for a terminal or a log: one line that nobody can forge, with control characters, line separators,
    /// changes of the writing direction, backslashes and invalid bytes written out (`\n`, `\x1b`, `\u{202e}`).
    public var escapedForTerminal: String {
        text { piece in
            switch piece {
            case .scalar("\n"): #"\n"#
            case .scalar("\r"): #"\r"#
            case .scalar("\t"): #"\t"#
            case .scalar(#"\"#): #"\\"#
            case .scalar(let scalar) where scalar.value < 0x80 && scalar.properties.generalCategory == .control:
                #"\x"# + hexadecimal(UInt8(scalar.value), uppercase: false)
            case .scalar(let scalar) where Self.mustNotReachTerminal(scalar):
                #"\u{"# + String(scalar.value, radix: 16) + "}"
            case .scalar(let scalar): String(scalar)
            case .invalid(let byte): #"\x"# + hexadecimal(byte, uppercase: false)
            }
        }
    }

    private static func mustNotReachTerminal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private enum Piece {
        case scalar(Unicode.Scalar)
        case invalid(UInt8)
    }

    private func text(_ write: (Piece) -> String) -> String {
        var result = ""
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let scalar = validScalar(at: position)
            result += write(scalar.map(Piece.scalar) ?? .invalid(bytes[position]))
            position += scalar.map(UTF8.width) ?? 1
        }
        return result
    }

    private func validScalar(at position: Int) -> Unicode.Scalar? {
        let lead = bytes[position]
        let length =
            switch lead {
            case 0..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard length > 0, position + length <= bytes.endIndex else { return nil }
        // The standard library decides: it knows about overlong forms and surrogates.
        return String(validating: bytes[position..<position + length], as: UTF8.self)?.unicodeScalars.first
    }
}

extension FilePath: CustomStringConvertible {
    /// `escapedForTerminal`, so that a path in a message cannot do harm by mistake.
    public var description: String { escapedForTerminal }
}

private func hexadecimal(_ byte: UInt8, uppercase: Bool) -> String {
    let digits = String(byte, radix: 16, uppercase: uppercase)
    return digits.count == 1 ? "0" + digits : digits
}
