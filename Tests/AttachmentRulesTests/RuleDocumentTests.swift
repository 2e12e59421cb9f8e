import AttachmentRules
import Foundation
import Testing

/// The README's table of rules.
@Suite struct RuleDocumentTests {
    /// A rule's row but for the last cell, which is written by hand: a command that shows the rule.
    private static func row(_ rule: Rule) -> String {
        let book = rule.book
        let raised = book.unError.map { "\($0.rawValue)" } ?? ""
        return "| \(rule.rawValue) | \(book.severity.rawValue) | \(book.summary) | \(raised) | \(book.source) | "
    }

    @Test("the README tells of every rule, in order")
    func readme() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md").standardized
        var lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        // MEDIAPREP_WRITE_DOCUMENTS=1 in the environment writes the rows anew.
        if ProcessInfo.processInfo.environment["MEDIAPREP_WRITE_DOCUMENTS"] != nil {
            for rule in Rule.allCases {
                guard let index = lines.firstIndex(where: { Self.isRow($0, of: rule) }) else { continue }
                // A command may have pipes of its own.
                let rest = lines[index].split(separator: "|", maxSplits: 6, omittingEmptySubsequences: false).last ?? ""
                let cell = rest.trimmingCharacters(in: CharacterSet(charactersIn: "| "))
                lines[index] = Self.row(rule) + cell + (cell.isEmpty ? "|" : " |")
            }
            try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        let rows = lines.filter { line in Rule.allCases.contains { Self.isRow(line, of: $0) } }
        #expect(rows.count == Rule.allCases.count)
        for (row, rule) in zip(rows, Rule.allCases) { #expect(row.hasPrefix(Self.row(rule))) }
    }

    private static func isRow(_ line: String, of rule: Rule) -> Bool {
        line.hasPrefix("| \(rule.rawValue) | error |") || line.hasPrefix("| \(rule.rawValue) | warning |")
    }
}
