internal import AttachmentRules
internal import Glibc
internal import Kernel
internal import Service
internal import Synchronization
internal import WorkerPool

/// `mediaprep batch`: files and directories in, push-ready pictures and manifests out.
enum BatchCommand {
    static func run(_ arguments: [[UInt8]]) -> CommandEnd {
        let request: BatchRequest
        do {
            request = try BatchRequest(arguments)
        } catch {
            return .wrongRequest(error, program: "mediaprep batch")
        }
        guard !request.printsVersion else {
            print("mediaprep \(mediaprepVersion)")
            return .success
        }

        let received = Atomic<Int32>(0)
        let stop: StopFlag
        do throws(Errno) {
            stop = try StopFlag()
            try TerminationSignals.redirect([SIGINT, SIGTERM]) { signal in
                // The second signal is a demand: whatever is in work is dropped, and workers die with their parent.
                if received.exchange(signal, ordering: .relaxed) != 0 { CommandEnd.signal(signal).end() }
                stop.set()
            }
        } catch {
            return .failure("mediaprep batch: cannot watch for signals: \(error)\n")
        }

        let report = BatchReport(
            for: request.printsManifests ? .program : .person, isQuiet: request.isQuiet,
            maxBytes: request.settings.recipe.maxBytes)
        do throws(BatchFailure) {
            try Batch(request.settings, stop: stop).run(report)
            try report.finish()
        } catch {
            return end(of: error)
        }
        let signal = received.load(ordering: .relaxed)
        if signal != 0 { return .signal(signal) }
        return report.hasComplaints ? .complaints : .success
    }

    private static func end(of failure: BatchFailure) -> CommandEnd {
        func text(_ message: String) -> String { "mediaprep batch: \(message)\n" }
        return switch failure {
        case .source(let path, let error):
            .usage(text("\(path): \(error)"))
        case .nameless(let path):
            .usage(text("\(path) gives no name to be mirrored below; name the directory itself, or give it alone"))
        case .outputIsSource(let path):
            .usage(
                text(
                    "\(path) is a SOURCE and the --output DIR at once, and results would replace originals; "
                        + "choose another DIR (one inside the SOURCE is fine)"))
        case .sameTarget(let one, let other):
            .usage(
                text(
                    "\(one) and \(other) would have one place in DIR; give them one batch each, or list them with "
                        + "--files-from, which keeps their paths"))
        case .output(let path, let error):
            .failure(text("cannot write \(path): \(error)"))
        case .outputInUse(let path):
            .failure(text("another batch is writing to \(path)"))
        case .standardOutput(let error):
            .failure(text("cannot write standard output: \(error)"))
        case .resources(let error):
            .failure(text("the system gives no more threads or memory files: \(error)"))
        case .workers(let error):
            .failure(text("\(error)"))
        }
    }
}
