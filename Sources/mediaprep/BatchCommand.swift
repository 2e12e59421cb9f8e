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
        let text = "mediaprep batch: \(failure.sentence)\n"
        return failure.isOfTheRequest ? .usage(text) : .failure(text)
    }
}
