/// Texts of `--help`, which GOption prints as they are.
enum HelpText {
    /// A terminal's, when nobody made it wider.
    private static let width = 80

    /// The text in lines that end at the terminal's edge at most, where the first one starts in `column`.
    ///
    /// Spaces are where it may be broken, and semicolons, which keep a list of values apart.
    static func wrapped(_ text: String, from column: Int) -> String {
        var lines = [""]
        for piece in pieces(of: text) {
            let line = lines[lines.count - 1]
            if piece == " " {
                lines[lines.count - 1] += line.isEmpty ? "" : piece
            } else if column + line.count + piece.count <= width || line.isEmpty {
                lines[lines.count - 1] += piece
            } else {
                lines[lines.count - 1].removeLast(line.last == " " ? 1 : 0)
                lines.append(piece)
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: column))
    }

    /// Words, what stands up to each semicolon, and single spaces.
    private static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var isOpen = false
        for character in text {
            if isOpen, character != " " {
                pieces[pieces.count - 1].append(character)
            } else {
                pieces.append(String(character))
            }
            isOpen = character != " " && character != ";"
        }
        return pieces
    }
}
