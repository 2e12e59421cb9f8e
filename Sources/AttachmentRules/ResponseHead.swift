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

    /// Reads what `curl -I` prints, or `curl --dump-header` saves: the first final response in it, a redirect too, since
    /// that is what an SDK gets first; nil where there is none.
    public init?(_ text: String) {
        var head: ResponseHead?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if head == nil {
                guard line.hasPrefix("HTTP/") else {
                    if line.isEmpty || line.contains(":") { continue }
                    return nil
                }
                let words = line.split(separator: " ")
                guard words.count > 1, let status = Int(words[1]), (100...599).contains(status) else { return nil }
                // What has a status below comes before the response that counts.
                if status >= 200 { head = ResponseHead(status: status, headers: []) }
            } else if line.isEmpty {
                break
            } else if let colon = line.firstIndex(of: ":") {
                let header = Header(Self.trimmed(line[..<colon]), Self.trimmed(line[line.index(after: colon)...]))
                head?.headers.append(header)
            }
        }
        guard let head else { return nil }
        self = head
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
