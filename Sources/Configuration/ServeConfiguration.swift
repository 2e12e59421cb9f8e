public import AttachmentRules
public import Kernel

/// The settings of the service, and where each comes from.
public struct ServeConfiguration: Equatable, Sendable {
    /// Where the value of a setting comes from.
    public enum Source: String, Sendable {
        case standard = "default"
        case file, option
    }

    /// The values.
    public internal(set) var settings = ServeSettings()
    /// By key; what is not in it is the default.
    public internal(set) var sources: [String: Source] = [:]

    /// Every profile that there is: the built-in ones, then those of the key file by their names. Options are in the
    /// one in use.
    public var profiles: [Profile] { settings.profiles }

    /// The key file that is read when none is named, and that may be missing.
    public static let standardFile: FilePath = "/etc/mediaprep/mediaprep.conf"

    /// The settings: defaults, then the key file, then options.
    ///
    /// - Parameters:
    ///   - file: nil for `standardFile`.
    ///   - options: values by key, with the keys of profiles among them, which then hold for the profile in use.
    /// - Throws: all that is wrong; nothing is known of the settings then.
    public static func load(file: FilePath?, options: [String: [UInt8]]) throws(ConfigurationError) -> ServeSettings {
        try read(file: file, options: options).settings
    }

    /// The settings, with their sources; as `load(file:options:)`.
    public static func read(
        file: FilePath?, options: [String: [UInt8]]
    ) throws(ConfigurationError) -> ServeConfiguration {
        var reading = SettingReading()
        let path = file ?? standardFile
        if let keyFile = try KeyFile.read(path) {
            reading.take(keyFile, at: path)
        } else if file != nil {
            throw ConfigurationError(problems: [
                ConfigurationProblem(.file(path), reason: "cannot be read: \(Errno.noSuchFileOrDirectory)")
            ])
        }
        reading.take(options)
        return try reading.finish()
    }

    /// A key file that stands for these settings, with the source of each as a comment.
    public var keyFile: String {
        func lines<Subject>(_ settings: [Setting<Subject>], of subject: Subject) -> String {
            settings.map { setting in
                let text = setting.text(in: subject)
                let source = (sources[setting.key] ?? .standard).rawValue
                let meaning = text.isEmpty ? setting.emptyMeans.map { ": \($0)" } ?? "" : ""
                return "# \(source)\(meaning)\n\(setting.key) =\(text.isEmpty ? "" : " ")\(text)\n"
            }.joined()
        }
        return "[\(SettingReading.serviceGroup)]\n" + lines(SettingTable.service, of: settings)
            + "\n[\(SettingReading.profilePrefix)\(settings.profile.name)]\n"
            + lines(SettingTable.profile, of: settings.profile)
    }
}
