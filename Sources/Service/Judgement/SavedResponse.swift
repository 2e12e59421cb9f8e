/// The head of an HTTP response as `curl --dump-header` saves it.
public struct SavedResponse: Sendable {
    public let status: Int
    public let headers: [(name: String, value: String)]

    /// The first final response; nil when there is none. A redirect is one: it is what an SDK gets first.
    ///
    /// - Parameter bytes: lines that end in a line feed, with or without a carriage return before it.
    public init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        var head: (status: Int, headers: [(name: String, value: String)])?
        for line in lines {
            if line.hasPrefix("HTTP/") {
                if head != nil { break }
                let words = line.split(separator: " ")
                guard words.count >= 2, let status = Int(words[1]), (100...999).contains(status) else { return nil }
                // 1xx comes before the response that counts.
                if status >= 200 { head = (status, []) }
            } else if head != nil, let colon = line.firstIndex(of: ":") {
                head?.headers.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
            } else if head != nil, line.isEmpty {
                break
            }
        }
        guard let head else { return nil }
        (status, headers) = head
    }
}
