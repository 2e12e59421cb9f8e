/// One line of a key file, as GKeyFile reads it.
///
/// Read one by one, because of a whole file GKeyFile tells the first error only, no numbers of lines, and nothing of a
/// key that is set twice.
enum KeyFileLine {
    case nothing
    case group(String)
    case entry(key: String, KeyFileValue)
    case unreadable

    /// - Parameter text: without the line feed.
    init(_ text: Substring) {
        let isGroup = text.drop { $0 == " " || $0 == "\t" }.first == "["
        let file: GLibKeyFile
        do {
            file = try GLibKeyFile(isGroup ? "\(text)\n" : "[\(Self.group)]\n\(text)\n")
        } catch {
            self = .unreadable
            return
        }
        if isGroup {
            self = file.firstGroup.map { .group($0) } ?? .unreadable
        } else if let key = file.firstKey(of: Self.group) {
            self = .entry(key: key, KeyFileValue(line: String(text)))
        } else {
            self = .nothing
        }
    }

    /// A group for what stands in one.
    static let group = "line"
}
