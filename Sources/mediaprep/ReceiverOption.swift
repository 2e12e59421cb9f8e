internal import AttachmentRules
internal import Configuration
internal import Kernel

/// `--profile NAME` and `--config FILE`: whose rules count.
enum ReceiverOption {
    /// Without a key file there are the built-in profiles, and `ios` is meant; a key file says which one is in use. The
    /// machine's own key file is not read: what is judged here is the same everywhere.
    static func profile(_ name: [UInt8]?, config: [UInt8]?) throws -> Profile {
        let configuration = try config.map { try ServeConfiguration.read(file: FilePath(bytes: $0), options: [:]) }
        guard let name else { return configuration?.settings.profile ?? .ios }
        let profiles = configuration?.settings.profiles ?? Profile.builtIn
        guard let profile = profiles.first(where: { Array($0.name.utf8) == name }) else {
            let known = profiles.map(\.name).joined(separator: ", ")
            throw UsageError(message: "there is no profile \(FilePath(bytes: name)); there are \(known)")
        }
        return profile
    }
}
