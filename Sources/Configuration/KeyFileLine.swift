internal import CGLib

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

    fileprivate static let group = "line"
}

/// What stands behind the equals sign.
struct KeyFileValue {
    fileprivate let line: String

    fileprivate init(line: String) {
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

/// Owns a GKeyFile.
struct GLibKeyFile: ~Copyable {
    private let file: OpaquePointer

    struct Unreadable: Error {}

    init(_ text: String) throws(Unreadable) {
        let file: OpaquePointer = g_key_file_new()
        // Without the flag, keys for other languages than the user's would be passed over.
        guard g_key_file_load_from_data(file, text, gsize(text.utf8.count), G_KEY_FILE_KEEP_TRANSLATIONS, nil) != 0
        else {
            g_key_file_unref(file)
            throw Unreadable()
        }
        self.file = file
    }

    deinit {
        g_key_file_unref(file)
    }

    var firstGroup: String? {
        let groups = g_key_file_get_groups(file, nil)
        defer { g_strfreev(groups) }
        return groups?[0].map { String(cString: $0) }
    }

    func firstKey(of group: String) -> String? {
        let keys = g_key_file_get_keys(file, group, nil, nil)
        defer { g_strfreev(keys) }
        return keys?[0].map { String(cString: $0) }
    }

    func string(_ key: String, in group: String) -> String? {
        guard let text = g_key_file_get_string(file, group, key, nil) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    func list(_ key: String, in group: String) -> [String]? {
        var count: gsize = 0
        guard let words = g_key_file_get_string_list(file, group, key, &count, nil) else { return nil }
        defer { g_strfreev(words) }
        return (0..<Int(count)).compactMap { words[$0].map { String(cString: $0) } }
    }
}
