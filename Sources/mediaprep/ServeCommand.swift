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
            let hasEnded = try service.run()
            // Where a thread did not end, what a process does at its end would be done beside it.
            if !hasEnded { CommandEnd.success.endAtOnce() }
            return .success
        } catch {
            end(of: error).endAtOnce()
        }
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
        Watches an inbox; what comes in is published as a push-ready picture, or refused
        with a reason. Settings are read from a key file; options come before it.
        """

    private static let description = """
        Each file NAME in ROOT/inbox ends as OUTBOX/NAME.json, which says what was
        published below OUTBOX/media or why the file was refused. Files that are still
        being written are left alone; their original ends in ROOT/done or ROOT/rejected.
        SIGTERM finishes what is in work, a second one gives it back; SIGHUP reads the
        key file again.

        Exit status:
          0  stopped by SIGTERM or SIGINT
          2  the command line or the settings are wrong
          3  the service could not do its own work
          75 another instance serves the same root
        """
}
