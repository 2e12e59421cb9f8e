internal import Configuration

/// `mediaprep serve`: every file that comes into the inbox ends in the outbox.
enum ServeCommand {
    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        let request: ServeRequest
        do {
            request = try ServeRequest(
                arguments, program: "mediaprep serve", summary: summary, description: description)
        } catch {
            return .wrongRequest(error, program: "mediaprep serve")
        }
        print("mediaprep serve: the settings are in order; root is \(request.settings.root)")
        return .success
    }

    private static let summary = """
        Watches an inbox; what comes in is published as a push-ready picture, or refused
        with a reason. Settings are read from a key file; options come before it.
        """

    private static let description = """
        Exit status:
          0  stopped by SIGTERM or SIGINT
          2  the command line or the settings are wrong
          3  the service could not do its own work
          75 another instance serves the same root
        """
}
