internal import AttachmentRules
internal import Configuration
internal import Kernel

/// `mediaprep profiles`: every receiver that there are settings for.
enum ProfilesCommand {
    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        do {
            var table = OptionTable()
            let config = table.bytes(
                "config", argument: "FILE", "Key file with profiles (\(ServeConfiguration.standardFile))")
            let json = table.flag("json", "A JSON object on standard output, with every key of each profile")
            let operands = try table.parse(
                arguments, program: program, operands: "", summary: summary, description: description)
            if let operand = operands.first {
                throw UsageError(message: "takes options only, not \"\(FilePath(bytes: operand))\"")
            }
            let configuration = try ServeConfiguration.read(
                file: config.value.map { FilePath(bytes: $0) }, options: [:])
            let printed = ProfileTable(configuration)
            return CommandEnd.printing(json.isSet ? printed.json : Array(printed.text.utf8), program: program)
        } catch {
            return .wrongRequest(error, program: program)
        }
    }

    private static let program = "mediaprep profiles"

    private static let summary = """
        Prints the receivers that pictures are made for and files are judged against:
        the built-in ones, and those of the key file. * marks the one in use.
        """

    private static let description = """
        What each key decides and takes is told by the comments of the sample key file;
        a group [profile NAME] changes them.

        Exit status:
          0  printed
          2  the command line or the settings are wrong
          3  standard output cannot be written
        """
}
