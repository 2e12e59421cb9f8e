internal import Configuration
internal import Kernel
internal import Service

/// `mediaprep status`: how the service is doing.
enum StatusCommand {
    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        do {
            var table = OptionTable()
            let config = table.bytes(
                "config", argument: "FILE", "Key file of the service (\(ServeConfiguration.standardFile))")
            let places = SettingTable.service.filter { ["root", "inbox", "outbox"].contains($0.key) }.map { setting in
                (setting.key, table.bytes(setting.key, argument: setting.argument, setting.help))
            }
            let json = table.flag("json", "One JSON object on standard output")
            let operands = try table.parse(
                arguments, program: program, operands: "", summary: summary, description: description)
            if let operand = operands.first {
                throw UsageError(message: "takes options only, not \"\(FilePath(bytes: operand))\"")
            }
            let options = Dictionary(
                places.compactMap { key, place in place.value.map { (key, $0) } }, uniquingKeysWith: { $1 })
            let settings = try settings(config.value.map { FilePath(bytes: $0) }, options)
            return tell(ServiceStatus(of: settings), asJSON: json.isSet)
        } catch {
            return .wrongRequest(error, program: program)
        }
    }

    private static func settings(
        _ file: FilePath?, _ options: [String: [UInt8]]
    ) throws(ConfigurationError) -> ServeSettings {
        guard file == nil, let root = options["root"] else {
            return try ServeConfiguration.load(file: file, options: options)
        }
        // The machine's own key file is not about another root, nor is the inbox in it.
        let own = try? ServeConfiguration.load(file: nil, options: [:])
        let isOwn = own?.root.components == FilePath(bytes: root).components
        return try ServeConfiguration.load(file: isOwn ? nil : "/dev/null", options: options)
    }

    private static func tell(_ status: ServiceStatus, asJSON: Bool) -> CommandEnd {
        do throws(Errno) {
            try StandardStream.output.writeAll((asJSON ? status.json : Array(status.table.utf8)).span)
        } catch {
            return .failure("\(program): cannot write standard output: \(error)\n")
        }
        return status.isRunning && status.faults.isEmpty ? .success : .complaints
    }

    private static let program = "mediaprep status"

    private static let summary = """
        Tells whether the service runs, what waits, what is in work, what today's
        outcomes were, and what keeps the service from its work: from its directories,
        and from what it says of itself.
        """

    private static let description = """
        Without options it is about the service of the key file above. Another root than
        the one in it, given by --root, has its inbox and outbox inside unless options
        say otherwise. Nothing is changed, and the service need not run; days are those
        of UTC.

        Exit status:
          0  the service runs and has no faults
          1  it does not run, or has faults
          2  the command line or the settings are wrong
          3  standard output cannot be written
        """
}
