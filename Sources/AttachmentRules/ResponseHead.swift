/// What a server says in front of a file.
public struct ResponseHead: Equatable, Sendable {
    /// Of HTTP.
    public var status: Int
    public var headers: [Header]

    /// One line of it.
    public struct Header: Equatable, Sendable {
        /// In any case.
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(status: Int, headers: [Header]) {
        self.status = status
        self.headers = headers
    }

    /// Reads what `curl -I` prints, up to the first empty line; nil for what is none.
    public init?(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.prefix { !$0.isEmpty }
        guard let first = lines.first, first.hasPrefix("HTTP/") else { return nil }
        let words = first.split(separator: " ")
        guard words.count > 1, let status = Int(words[1]), (100...599).contains(status) else { return nil }
        self.status = status
        headers = lines.dropFirst().compactMap { line in
            line.firstIndex(of: ":").map { colon in
                Header(Self.trimmed(line[..<colon]), Self.trimmed(line[line.index(after: colon)...]))
            }
        }
    }

    /// The first header of that name, which is lower-case.
    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name }.map { Self.trimmed($0.value[...]) }
    }

    static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isBlank)
        while text.last.map(isBlank) == true { text.removeLast() }
        return String(text)
    }
}
