internal import CGLib

/// A command line in the notation of a shell, which is never started for it.
enum ShellWords {
    static func apply(_ settings: inout ServeSettings, _ words: [String]) -> Bool {
        guard let text = words.first, !text.isEmpty else {
            settings.notifyCommand = []
            return true
        }
        guard let command = split(text), command.first?.hasPrefix("/") == true else { return false }
        settings.notifyCommand = command
        return true
    }

    /// g_shell_parse_argv(): nil where a quotation has no end, or there is no word at all.
    private static func split(_ text: String) -> [String]? {
        var count: gint = 0
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard g_shell_parse_argv(text, &count, &words, nil) != 0 else { return nil }
        defer { g_strfreev(words) }
        return (0..<Int(count)).compactMap { words?[$0].map { String(cString: $0) } }
    }

    static func joined(_ words: [String]) -> String {
        words.map { word in
            let isPlain =
                !word.isEmpty
                && word.utf8.allSatisfy { byte in
                    let character = Character(Unicode.Scalar(byte))
                    return character.isASCII
                        && (character.isLetter || character.isNumber || "/._-+=:,@%".contains(character))
                }
            guard !isPlain, let quoted = g_shell_quote(word) else { return word }
            defer { g_free(quoted) }
            return String(cString: quoted)
        }.joined(separator: " ")
    }
}
