/// What stands behind the equals sign.
struct KeyFileValue {
    private let line: String

    /// - Parameter line: an entry's, whole.
    init(line: String) {
        self.line = line
    }

    /// A value that was given in another place, in the notation of a key file.
    init(raw: String) {
        line = "key=" + raw
    }

    /// The value as it stands there.
    var raw: String {
        guard let equals = line.firstIndex(of: "=") else { return "" }
        return String(line[line.index(after: equals)...].drop { $0 == " " || $0 == "\t" })
    }

    /// Without its escapes, and taken apart if it `isList`; nil where it holds an escape that there is not.
    func words(isList: Bool) -> [String]? {
        guard let file = try? GLibKeyFile("[\(KeyFileLine.group)]\n\(line)\n"),
            let key = file.firstKey(of: KeyFileLine.group)
        else { return nil }
        return isList ? file.list(key, in: KeyFileLine.group) : file.string(key, in: KeyFileLine.group).map { [$0] }
    }
}
