internal import Configuration

/// `mediaprep check-config`: the settings that `serve` would have, as a key file.
enum CheckConfigCommand {
    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        let request: ServeRequest
        do {
            request = try ServeRequest(arguments, program: program, summary: summary, description: description)
        } catch {
            return .wrongRequest(error, program: program)
        }
        return .printing(Array(request.configuration.keyFile.utf8), program: program)
    }

    private static let program = "mediaprep check-config"

    private static let summary = """
        Prints the settings that mediaprep serve would have with the same options, as a
        key file with the profile in use. Above each setting stands where it comes from:
        default, file or option. Or tells all that is wrong with them, and where.
        """

    private static let description = """
        Exit status:
          0  the settings are in order
          2  the command line or the settings are wrong
          3  standard output cannot be written
        """
}
