internal import Glibc
internal import Kernel
internal import Service

/// The command line: one file a subcommand.
@main struct Mediaprep {
    static func main() {
        // Without /dev/null it goes on, as it is: no worker will start.
        try? StandardStream.replaceMissing()
        // GOption writes its help in the user's encoding.
        setlocale(LC_ALL, "")
        let arguments = RunningProgram.arguments
        switch arguments.first.map({ String(decoding: $0, as: UTF8.self) }) {
        case "batch":
            BatchCommand.run(Array(arguments.dropFirst())).end()
        case "serve":
            ServeCommand.run(Array(arguments.dropFirst())).end()
        case "check-config":
            CheckConfigCommand.run(Array(arguments.dropFirst())).end()
        case "status":
            StatusCommand.run(Array(arguments.dropFirst())).end()
        case "profiles":
            ProfilesCommand.run(Array(arguments.dropFirst())).end()
        case "payload":
            PayloadCommand.run(Array(arguments.dropFirst())).end()
        case "--version":
            print("mediaprep \(mediaprepVersion)")
        case "--help", "-h", "help":
            print(usage, terminator: "")
        case nil:
            CommandEnd.usage(usage).end()
        case let word?:
            let what = word.hasPrefix("-") ? "option \(FilePath(word))" : "command \"\(FilePath(word))\""
            CommandEnd.usage("mediaprep: there is no \(what); see mediaprep --help\n").end()
        }
    }

    private static let usage = """
        Usage: mediaprep COMMAND [OPTION...]

        Makes pictures that push notifications can show.

        Commands:
          batch         turn files and directories into push-ready pictures
          serve         do so with every file that comes into an inbox
          check-config  print the settings of serve, or all that is wrong with them
          status        tell how serve is doing
          profiles      print the receivers that pictures are made for
          payload       write the push for what was made, or tell what is wrong with one

        mediaprep COMMAND --help tells more of a command.
        mediaprep --version prints the version.

        """
}
