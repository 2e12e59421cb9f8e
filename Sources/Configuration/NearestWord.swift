/// The word that was probably meant.
enum NearestWord {
    /// The nearest of `words` to `word`, if no more than a third of it has to be changed.
    static func nearest(to word: String, in words: [String]) -> String? {
        // No key is nearly as long as that, and the time grows with the length.
        guard word.utf8.count <= 64 else { return nil }
        let near = words.map { ($0, distance(word.lowercased().replacing("_", with: "-"), $0)) }
            .min { $0.1 < $1.1 }
        guard let (nearest, distance) = near, distance <= max(1, nearest.count / 3) else { return nil }
        return nearest
    }

    /// Levenshtein's: letters to be put in, left out or replaced.
    static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other.utf8)
        var row = Array(0...other.count)
        for (index, letter) in one.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (letter == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
