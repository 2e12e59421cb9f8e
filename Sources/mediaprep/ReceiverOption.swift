internal import AttachmentRules
internal import Configuration
internal import Kernel

/// `--profile NAME` and `--config FILE`: whose rules count.
enum ReceiverOption {
    /// Without a key file there are the built-in profiles, and `ios` is meant; a key file says which one is in use. The
    /// machine's own key file is not read: what is judged here is the same everywhere.
    ///
    /// - Returns: the one that counts, and all that there are.
    static func profile(_ name: [UInt8]?, config: [UInt8]?) throws -> (profile: Profile, all: [Profile]) {
        let configuration = try config.map { try ServeConfiguration.read(file: FilePath(bytes: $0), options: [:]) }
        let profiles = configuration?.settings.profiles ?? Profile.builtIn
        guard let name else { return (configuration?.settings.profile ?? .ios, profiles) }
        guard let profile = profiles.first(where: { Array($0.name.utf8) == name }) else {
            let known = profiles.map(\.name).joined(separator: ", ")
            throw UsageError(message: "there is no profile \(FilePath(bytes: name)); there are \(known)")
        }
        return (profile, profiles)
    }
}
