import AttachmentRules
import Foundation
import Testing

/// The web server's own list of what is published.
@Suite struct ServedTypesTests {
    private static let snippet = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "systemd/nginx-mediaprep.conf")

    @Test("nginx serves every type that is published, as that type, and no other")
    func types() throws {
        let text = try String(contentsOf: Self.snippet, encoding: .utf8)
        let block = try #require(text.firstMatch(of: /types \{([^}]*)\}/)).output.1
        var served: [String: String] = [:]
        for line in block.split(separator: ";") {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            for word in words.dropFirst() { served[word] = words[0] }
        }
        let published = [MediaType.jpeg] + MediaType.allCases.filter { $0.support != .none && $0.family != .image }
        #expect(
            served == Dictionary(uniqueKeysWithValues: published.map { ($0.preferredExtension, $0.servedType) }))
        let pattern = try #require(text.firstMatch(of: /\\\.\(([a-z0-9|]+)\)\$/)).output.1
        #expect(Set(pattern.split(separator: "|").map(String.init)) == Set(served.keys))
    }
}
