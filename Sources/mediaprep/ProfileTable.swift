internal import AttachmentRules
internal import Configuration

/// All profiles, for a person and for a program.
struct ProfileTable {
    private let profiles: [Profile]
    private let inUse: String

    init(_ configuration: ServeConfiguration) {
        profiles = configuration.profiles
        inUse = configuration.settings.profile.name
    }

    /// A line for each profile, with what tells them apart, and its summary below.
    var text: String {
        let head = [
            "", "PROFILE", "FORMATS", "SHORT EDGE", "MAX BYTES", "TARGET", "LIMIT", "RATIO", "PLAYS", "OLDEST IOS",
        ]
        let rows = [head] + profiles.map(row)
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line + "\n"
        }
        let names = profiles.map(\.name.count).max() ?? 0
        let summaries = profiles.map { profile in
            profile.name + String(repeating: " ", count: names + 2 - profile.name.count) + profile.summary + "\n"
        }
        return lines.joined() + "\n" + summaries.joined()
    }

    /// An object with a member for each profile, of which every key has the text of the key file.
    var json: [UInt8] {
        let members = profiles.map { profile in
            let keys = SettingTable.profile.map { ($0.key, JSONValue.string($0.text(in: profile))) }
            let more: [(String, JSONValue)] = [
                ("summary", .string(profile.summary)), ("in-use", .bool(profile.name == inUse)),
            ]
            return (profile.name, JSONValue.object(Dictionary(keys + more, uniquingKeysWith: { $1 })))
        }
        return JSONValue.object(Dictionary(members, uniquingKeysWith: { $1 })).serialized + [0x0A]
    }

    private func row(_ profile: Profile) -> [String] {
        func number(_ value: Int?) -> String { value.map { "\($0)" } ?? "-" }
        let pictures = profile.accepts.filter { $0.family == .image }
        let others = profile.accepts.count - pictures.count
        let formats = names(pictures) + (others > 0 ? " +\(others)" : "")
        return [
            profile.name == inUse ? "*" : "", profile.name, formats, "\(profile.recipe.shortEdge)",
            "\(profile.recipe.maxBytes)", number(profile.targetBytes), number(profile.limitBytes),
            profile.ratio?.text ?? "-", profile.animation.isEmpty ? "-" : names(profile.animation),
            number(profile.oldestSystem),
        ]
    }

    private func names(_ types: Set<MediaType>) -> String {
        MediaType.allCases.filter { types.contains($0) && $0 != .apng }.map(\.preferredExtension).joined(separator: " ")
    }
}
