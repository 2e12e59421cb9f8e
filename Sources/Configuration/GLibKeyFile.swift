internal import CGLib

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
        // Of a wrong escape it tells by the error alone, and gives a text as well.
        var error: UnsafeMutablePointer<GError>?
        let text = g_key_file_get_string(file, group, key, &error)
        defer {
            g_free(text)
            g_clear_error(&error)
        }
        return error == nil ? text.map { String(cString: $0) } : nil
    }

    func list(_ key: String, in group: String) -> [String]? {
        var count: gsize = 0
        var error: UnsafeMutablePointer<GError>?
        let words = g_key_file_get_string_list(file, group, key, &count, &error)
        defer {
            g_strfreev(words)
            g_clear_error(&error)
        }
        return error == nil ? (0..<Int(count)).compactMap { words?[$0].map { String(cString: $0) } } : nil
    }
}
