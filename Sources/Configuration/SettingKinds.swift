internal import Kernel

/// The kinds of values that settings have.
extension Setting {
    static func number(
        _ key: String, _ argument: String, _ documentation: String, in range: ClosedRange<Int>,
        needsRestart: Bool = false, _ place: any WritableKeyPath<Subject, Int> & Sendable
    ) -> Setting {
        Setting(
            key, argument, documentation, accepted: words(for: range), needsRestart: needsRestart,
            apply: { subject, words in
                guard let number = number(words, in: range) else { return false }
                subject[keyPath: place] = number
                return true
            },
            show: { ["\($0[keyPath: place])"] })
    }

    static func number(
        _ key: String, _ argument: String, _ documentation: String, in range: ClosedRange<Int>, emptyMeans: String,
        needsRestart: Bool, _ place: any WritableKeyPath<Subject, Int?> & Sendable
    ) -> Setting {
        Setting(
            key, argument, documentation, accepted: words(for: range), emptyMeans: emptyMeans,
            needsRestart: needsRestart,
            apply: { subject, words in
                let number = number(words, in: range)
                subject[keyPath: place] = number
                return number != nil || words == [""]
            },
            show: { [$0[keyPath: place].map { "\($0)" } ?? ""] })
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ key: String, _ documentation: String, _ place: any WritableKeyPath<Subject, Choice> & Sendable
    ) -> Setting {
        let words = Choice.allCases.map(\.rawValue)
        return Setting(
            key, words.joined(separator: "|"), documentation, accepted: words.joined(separator: " or "),
            apply: { subject, words in
                guard let choice = Choice(rawValue: words.first ?? "") else { return false }
                subject[keyPath: place] = choice
                return true
            },
            show: { [$0[keyPath: place].rawValue] })
    }

    static func truth(
        _ key: String, _ documentation: String, needsRestart: Bool = false,
        _ place: any WritableKeyPath<Subject, Bool> & Sendable
    ) -> Setting {
        Setting(
            key, "yes|no", documentation, accepted: "yes or no", needsRestart: needsRestart,
            apply: { subject, words in
                guard words == ["yes"] || words == ["no"] else { return false }
                subject[keyPath: place] = words == ["yes"]
                return true
            },
            show: { [$0[keyPath: place] ? "yes" : "no"] })
    }

    static func directory(
        _ key: String, _ documentation: String, _ place: any WritableKeyPath<Subject, FilePath> & Sendable
    ) -> Setting {
        Setting(
            key, "DIR", documentation, accepted: "an absolute path", needsRestart: true,
            apply: { subject, words in
                let path = FilePath(words.first ?? "")
                guard path.isAbsolute else { return false }
                subject[keyPath: place] = path
                return true
            },
            show: { [text($0[keyPath: place])] })
    }

    static func directory(
        _ key: String, _ documentation: String, emptyMeans: String,
        _ place: any WritableKeyPath<Subject, FilePath?> & Sendable
    ) -> Setting {
        Setting(
            key, "DIR", documentation, accepted: "an absolute path", emptyMeans: emptyMeans, needsRestart: true,
            apply: { subject, words in
                let path = FilePath(words.first ?? "")
                guard path.isAbsolute || path.isEmpty else { return false }
                subject[keyPath: place] = path.isEmpty ? nil : path
                return true
            },
            show: { [$0[keyPath: place].map(text) ?? ""] })
    }

    private static func words(for range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func number(_ words: [String], in range: ClosedRange<Int>) -> Int? {
        // Int reads a plus sign too, which nobody means.
        guard let word = words.first, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word),
            range.contains(number)
        else { return nil }
        return number
    }

    // Whatever was read is UTF-8, so that nothing is lost.
    private static func text(_ path: FilePath) -> String { String(decoding: path.bytes, as: UTF8.self) }
}
