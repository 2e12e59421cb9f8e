internal import Configuration
internal import Kernel
internal import Service
internal import Spool
internal import WorkerPool

/// `mediaprep serve`: every file that comes into the inbox ends in the outbox.
enum ServeCommand {
    private static let program = "mediaprep serve"

    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        let request: ServeRequest
        let worker: FilePath
        do {
            request = try ServeRequest(arguments, program: program, summary: summary, description: description)
            worker = try InstalledWorker.path()
        } catch {
            return .wrongRequest(error, program: program)
        }
        let signals: ServiceSignals
        do throws(Errno) {
            signals = try ServiceSignals()
        } catch {
            return .failure("\(program): cannot watch for signals: \(error)\n")
        }
        let log = ServiceLog(request.settings.logFormat)
        log.takeGLibMessages()
        let service = Serve(
            request.settings, worker: worker, signals: signals, log: log,
            reload: { () throws(ConfigurationError) in try request.reload() })
        do throws(ServeFailure) {
            try service.run()
        } catch {
            end(of: error).endAtOnce()
        }
        CommandEnd.success.endAtOnce()
    }

    private static func end(of failure: ServeFailure) -> CommandEnd {
        func text(_ message: String) -> String { "\(program): \(message)\n" }
        return switch failure {
        case .spool(let failure):
            switch failure.kind {
            case .inUse: .inUse(text("\(failure)"))
            case .nested: .usage(text("\(failure)"))
            case .fault: .failure(text("\(failure)"))
            }
        case .workers(let error): .failure(text("\(error)"))
        case .resources(let error): .failure(text("the system gives no more threads or descriptors: \(error)"))
        }
    }

    private static let summary = """
        Watches an inbox until it is told to stop: each picture, sound or film that
        comes in is published as what a push notification can show, or refused with a
        reason. A directory is one push: all that is in it is published, or none.
        Settings come from a key file, and from options, which overrule it.
        """

    private static let description = """
        For each file NAME in the inbox there will be NAME.json in the outbox, which
        says what was published below media in the outbox, or why the file was refused.
        Files that are still being written are left alone until they are whole.
        Originals end in ROOT/done, if they are kept, and refused ones in ROOT/rejected.

        What each setting takes is told where it is given something else, and by the
        comments of the sample key file. The options from --base on hold for the
        profile in use. Outcomes are told on standard error, a line each.

        SIGTERM and SIGINT stop the service: what is in work is finished, or goes back
        to the inbox after 4.5 seconds, and after a second signal at once. SIGHUP reads
        the key file again; mediaprep status tells how the service is doing.

        Exit status:
          0  stopped by SIGTERM or SIGINT
          2  the command line or the settings are wrong, or one directory is in another
          3  the service could not do its own work, such as without a worker
          75 another service works in this root or outbox
        """
}
