internal import AttachmentRules
internal import Configuration
internal import Kernel

/// What the command line of `mediaprep serve`, or of `check-config`, asks for.
struct ServeRequest {
    /// The settings as they are now, with their sources.
    let configuration: ServeConfiguration
    /// The key file named by `--config`.
    private let file: FilePath?
    private let options: [String: [UInt8]]

    var settings: ServeSettings { configuration.settings }

    /// - Throws: `UsageError` for the command line, `ConfigurationError` for the settings.
    init(_ arguments: [[UInt8]], program: String, summary: String, description: String) throws {
        var table = OptionTable()
        let config = table.bytes(
            "config", argument: "FILE", "Key file with settings (\(ServeConfiguration.standardFile))")
        var given: [(key: String, value: OptionTable.Bytes)] = []
        for setting in SettingTable.service {
            given.append((setting.key, table.bytes(setting.key, argument: setting.argument, setting.help)))
        }
        for setting in SettingTable.profile {
            given.append((setting.key, table.bytes(setting.key, argument: setting.argument, setting.help)))
        }
        let operands = try table.parse(
            arguments, program: program, operands: "", summary: summary, description: description)
        if let operand = operands.first {
            throw UsageError(message: "takes options only, not \"\(FilePath(bytes: operand))\"")
        }
        file = config.value.map { FilePath(bytes: $0) }
        options = Dictionary(
            given.compactMap { key, value in value.value.map { (key, $0) } }, uniquingKeysWith: { $1 })
        configuration = try ServeConfiguration.read(file: file, options: options)
    }

    /// The settings as the key file has them by now, under the same options.
    func reload() throws(ConfigurationError) -> ServeSettings {
        try ServeConfiguration.load(file: file, options: options)
    }
}
