internal import AttachmentRules
internal import Kernel

/// `--profile NAME`: whose rules count.
enum ReceiverOption {
    /// - Parameters:
    ///   - name: of the profile; nil for `ios`.
    ///   - config: path of a key file that may hold more profiles.
    static func profile(_ name: [UInt8]?, config: [UInt8]?) throws -> Profile {
        let name = name.map { String(decoding: $0, as: UTF8.self) } ?? Profile.ios.name
        guard let profile = Profile.named(name) else {
            let known = Profile.builtIn.map(\.name).joined(separator: ", ")
            throw UsageError(message: "there is no profile \(FilePath(name).escapedForTerminal); there are \(known)")
        }
        return profile
    }
}
