public import AttachmentRules
internal import FoundationEssentials

/// Manifests as JSON, with the members in the order in which a person reads them.
public enum ManifestCoding {
    /// The whole manifest on one line, without a line feed.
    public static func line(_ manifest: Manifest) -> [UInt8] {
        Array("{".utf8) + members(of: manifest).joined(separator: Array(",".utf8)) + Array("}".utf8)
    }

    /// The manifest as a file: one member a line.
    public static func document(_ manifest: Manifest) -> [UInt8] {
        Array("{\n  ".utf8) + members(of: manifest).joined(separator: Array(",\n  ".utf8)) + Array("\n}\n".utf8)
    }

    /// Reads a manifest back, or nil when the bytes are not one of ours.
    public static func read(_ bytes: [UInt8]) -> Manifest? {
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes)),
            manifest.schema == Manifest.schema
        else { return nil }
        return manifest
    }

    // JSONEncoder can sort the members of an object but not keep their order, so each is encoded by itself.
    private static func members(of manifest: Manifest) -> [[UInt8]] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Manifest.CodingKeys.allCases.compactMap { key in
            value(of: manifest, for: key).map { value in
                guard let json = try? encoder.encode(value) else {
                    preconditionFailure("a manifest holds only text, whole numbers and finite ratios")
                }
                return Array("\"\(key.stringValue)\":".utf8) + json
            }
        }
    }

    private static func value(of manifest: Manifest, for key: Manifest.CodingKeys) -> (any Encodable)? {
        switch key {
        case .schema: manifest.schema
        case .name: manifest.name
        case .status: manifest.status
        case .recipe: manifest.recipe
        case .id: manifest.id
        case .createdAt: manifest.createdAt
        case .rejection: manifest.rejection
        case .source: manifest.source
        case .output: manifest.output
        case .encoder: manifest.encoder
        case .memory: manifest.memory
        case .attachment: manifest.attachment
        case .http: manifest.http
        case .poster: manifest.poster
        case .clip: manifest.clip
        case .checks: manifest.checks
        case .profiles: manifest.profiles
        case .push: manifest.push
        case .attachments: manifest.attachments
        case .groupMemory: manifest.groupMemory
        case .notes: manifest.notes
        }
    }
}
