import AttachmentRules
import Configuration
import Foundation
import Kernel
import Testing

@Suite struct SettingTableTests {
    /// A value of each setting that is not its default.
    static let others: [String: String] = [
        "root": "/srv/pictures", "inbox": "/srv/in", "outbox": "/srv/out", "base-url": "https://cdn.example/p",
        "jobs": "3", "profile": "small", "originals": "delete", "settle-ms": "1000", "rescan-seconds": "60",
        "poll-seconds": "5", "watch": "poll", "ignore-names": "*.upload", "notify-command": "/bin/cat -v",
        "notify-timeout-seconds": "5", "notify-jobs": "1", "notify-attempts": "3", "deadline-seconds": "20",
        "isolation": "per-image", "allow-weak-sandbox": "yes", "sync": "no", "log-format": "json",
        "short-edge": "400", "quality": "70", "quality-floor": "30", "max-bytes": "50000", "background": "#102030",
        "categories": "ALBUM;STORY", "base": "web", "formats": "jpg;png", "limit-bytes": "300000",
        "target-bytes": "50000", "least-width": "400", "longest-edge": "2000", "ratio": "4:3-16:9",
        "animation": "png;gif", "memory-budget": "16777216", "oldest-ios": "12", "longest-seconds": "60",
        "errors": "DIM005;MEM005", "warnings": "COL002", "off": "DIM004",
    ]

    /// The stored properties in which two values differ.
    static func differences<Value>(_ one: Value, _ other: Value) -> [String] {
        zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children).compactMap { one, other in
            String(reflecting: one.value) == String(reflecting: other.value) ? nil : one.label
        }
    }

    static func settings(_ options: [String: String]) throws(ConfigurationError) -> ServeSettings {
        try ServeConfiguration.load(file: "/dev/null", options: options.mapValues { Array($0.utf8) })
    }

    @Test("each setting decides one property, and every property is decided by one")
    func properties() throws {
        var decided: [String] = []
        for setting in SettingTable.service where setting.key != "profile" {
            let other = try #require(Self.others[setting.key], "a value for \(setting.key)")
            let changed = Self.differences(ServeSettings(), try Self.settings([setting.key: other]))
            #expect(changed.count == 1, "\(setting.key) changes \(changed)")
            decided += changed
        }
        let all = Mirror(reflecting: ServeSettings()).children.compactMap(\.label)
        #expect(decided.sorted() == all.filter { $0 != "profile" }.sorted())
    }

    @Test("each setting of a profile decides one property of it or of its recipe")
    func profile() throws {
        var decided: Set<String> = []
        for setting in SettingTable.profile where setting.key != "base" {
            let other = try #require(Self.others[setting.key], "a value for \(setting.key)")
            let profile = try Self.settings([setting.key: other]).profile
            let changed =
                Self.differences(Profile.ios, profile).filter { $0 != "recipe" }
                + Self.differences(Profile.ios.recipe, profile.recipe)
            #expect(changed.count == 1, "\(setting.key) changes \(changed)")
            decided.formUnion(changed)
        }
        // What the phone can take is no matter of taste; the base decides what is left.
        let all =
            Mirror(reflecting: Recipe()).children.compactMap(\.label).filter { $0 != "imageShareBytes" }
            + Mirror(reflecting: Profile.ios).children.compactMap(\.label)
            .filter { !["name", "summary", "base", "recipe"].contains($0) }
        #expect(decided.sorted() == all.sorted())
    }

    @Test("every key has one meaning, and fits a line")
    func keys() {
        let keys = SettingTable.service.map(\.key) + SettingTable.profile.map(\.key)
        #expect(Set(keys).count == keys.count)
        let texts =
            SettingTable.service.map { $0.documentation + $0.acceptedInFull }
            + SettingTable.profile.map { $0.documentation + $0.acceptedInFull }
        #expect(!texts.contains { $0.contains("\n") || $0.contains("|") })
    }

    @Test("what a setting shows is what it takes")
    func shown() throws {
        for (key, other) in Self.others where key != "profile" {
            let settings = try Self.settings([key: other])
            let shown =
                SettingTable.service.first { $0.key == key }?.text(in: settings)
                ?? SettingTable.profile.first { $0.key == key }?.text(in: settings.profile)
            #expect(shown == other)
        }
    }

    // MEDIAPREP_WRITE_DOCUMENTS=1 in the environment writes the documents anew.
    private static let writes = ProcessInfo.processInfo.environment["MEDIAPREP_WRITE_DOCUMENTS"] != nil

    @Test("the sample file tells of every setting, and changes none")
    func sample() throws {
        let file = SettingDocuments.project.appending(path: "systemd/mediaprep.conf")
        if Self.writes { try SettingDocuments.sample.write(to: file, atomically: true, encoding: .utf8) }
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text == SettingDocuments.sample)
        let standard = try Self.settings([:])
        #expect(try ServeConfiguration.load(file: .init(file.path), options: [:]) == standard)

        let scratch = try Scratch()
        let uncommented = text.replacing("\n#", with: "\n").split(separator: "\n").filter { $0.first != " " }
        let filled = try scratch.file(uncommented.joined(separator: "\n"))
        #expect(try ServeConfiguration.load(file: filled, options: [:]) == standard)
    }

    @Test("the README tells of every setting")
    func readme() throws {
        let file = SettingDocuments.project.appending(path: "README.md")
        var text = try String(contentsOf: file, encoding: .utf8)
        let heading = try #require(text.range(of: "\n## Settings of serve\n"))
        let end = text.range(of: "\n## ", range: heading.upperBound..<text.endIndex)?.lowerBound ?? text.endIndex
        if Self.writes, let table = text.range(of: "\n|", range: heading.upperBound..<end) {
            text.replaceSubrange(table.lowerBound..<end, with: "\n" + SettingDocuments.tables)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text[heading.upperBound...].contains("\n\n" + SettingDocuments.tables + "\n"))
    }
}
