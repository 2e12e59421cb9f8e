internal import AttachmentRules

/// SVG and HTML, which are text: the first element decides, after everything that may stand before it.
///
/// The bytes are read as ASCII, in UTF-16 every other one, as far as 64 KiB: nothing else may come first in a file
/// that a renderer would take for SVG.
struct MarkupSignature {
    private static let farthest = 65_536

    private var offset = 0
    private let step: Int

    static func type(of bytes: Span<UInt8>) -> MediaType? {
        guard var markup = MarkupSignature(bytes) else { return nil }
        return markup.firstElement(bytes)
    }

    /// Nil when the file does not start like text.
    private init?(_ bytes: Span<UInt8>) {
        if bytes.has([0xEF, 0xBB, 0xBF], at: 0) {
            (offset, step) = (3, 1)
        } else if bytes.has([0xFF, 0xFE], at: 0) {
            (offset, step) = (2, 2)
        } else if bytes.has([0xFE, 0xFF], at: 0) {
            (offset, step) = (3, 2)
        } else if bytes.has([0x3C, 0], at: 0) {
            (offset, step) = (0, 2)
        } else if bytes.has([0, 0x3C], at: 0) {
            (offset, step) = (1, 2)
        } else {
            (offset, step) = (0, 1)
        }
        skipSpace(bytes)
        guard current(bytes) == UInt8(ascii: "<") else { return nil }
    }

    private mutating func firstElement(_ bytes: Span<UInt8>) -> MediaType? {
        while true {
            skipSpace(bytes)
            guard current(bytes) == UInt8(ascii: "<") else { return nil }
            if starts(with: "<!--", bytes) {
                guard skip(past: "-->", bytes) else { return nil }
            } else if starts(with: "<?", bytes) {
                guard skip(past: "?>", bytes) else { return nil }
            } else if starts(with: "<!doctype", bytes) {
                advance(9)
                skipSpace(bytes)
                if starts(with: "svg", bytes) { return .svg }
                if starts(with: "html", bytes) { return .html }
                guard skipDeclaration(bytes) else { return nil }
            } else {
                return elementType(bytes)
            }
        }
    }

    private func elementType(_ bytes: Span<UInt8>) -> MediaType? {
        if starts(with: "<svg:svg", bytes) { return .svg }
        if starts(with: "<svg", bytes), endsName(after: 4, bytes) { return .svg }
        // The elements that browsers take for HTML (WHATWG MIME Sniffing, 7.1), and a few more.
        let names: [StaticString] = [
            "html", "head", "body", "title", "meta", "script", "iframe", "style", "table", "div", "font", "center",
            "h1", "h2", "p", "a", "b", "br", "img", "span", "form", "link", "base",
        ]
        for name in names where starts(with: name, bytes, after: 1) {
            if endsName(after: 1 + name.utf8CodeUnitCount, bytes) { return .html }
        }
        return nil
    }

    /// Skips the rest of a document type, over its internal subset and quoted texts.
    private mutating func skipDeclaration(_ bytes: Span<UInt8>) -> Bool {
        var quote: UInt8?
        var isInSubset = false
        while let character = current(bytes) {
            advance(1)
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = character
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">") where !isInSubset: return true
            default: break
            }
        }
        return false
    }

    private func current(_ bytes: Span<UInt8>, after distance: Int = 0) -> UInt8? {
        let position = offset + distance * step
        return position < Self.farthest ? bytes.byte(at: position) : nil
    }

    private mutating func advance(_ characters: Int) { offset += characters * step }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while let character = current(bytes), Self.isSpace(character) { advance(1) }
    }

    private static func isSpace(_ character: UInt8) -> Bool {
        character == 0x20 || (0x09...0x0D).contains(character)
    }

    /// Compares without regard to case; the pattern is lower case.
    private func starts(with pattern: StaticString, _ bytes: Span<UInt8>, after distance: Int = 0) -> Bool {
        for index in 0..<pattern.utf8CodeUnitCount {
            guard var character = current(bytes, after: distance + index) else { return false }
            if (0x41...0x5A).contains(character) { character |= 0x20 }
            if character != pattern.utf8Start[index] { return false }
        }
        return true
    }

    private func endsName(after distance: Int, _ bytes: Span<UInt8>) -> Bool {
        guard let character = current(bytes, after: distance) else { return true }
        return Self.isSpace(character) || character == UInt8(ascii: ">") || character == UInt8(ascii: "/")
    }

    private mutating func skip(past pattern: StaticString, _ bytes: Span<UInt8>) -> Bool {
        while current(bytes) != nil {
            if starts(with: pattern, bytes) {
                advance(pattern.utf8CodeUnitCount)
                return true
            }
            advance(1)
        }
        return false
    }
}
