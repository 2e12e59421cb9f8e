public import AttachmentRules
internal import FoundationEssentials
internal import Hashing

extension Recipe {
    /// 16 hexadecimal digits that change whenever a setting, or the engine that reads it, would change the result.
    public var fingerprint: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let settings = try? encoder.encode(self) else {
            preconditionFailure("a recipe holds only whole numbers and always encodes")
        }
        return Digest.short(Array("\(engineGeneration)".utf8 + settings).span)
    }
}
