internal import AttachmentRules
internal import Configuration
internal import Glibc
internal import Kernel
internal import Spool
internal import WorkerPool

/// What the service makes of its settings.
extension ServeSettings {
    var places: SpoolPlaces { SpoolPlaces(root: root, inbox: inbox, outbox: outbox) }

    var arrivals: ArrivalSettings {
        ArrivalSettings(
            settle: .milliseconds(settleMilliseconds), rescan: .seconds(rescanSeconds), poll: .seconds(pollSeconds),
            watchesEvents: watch == .automatic, ignored: ignoredNames)
    }

    /// Pictures that are worked on at once.
    var lanes: Int { jobs ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Threads that publish: many, because they wait for the disk, and what waits at once is written at once
    /// (measured: one fsync alone takes about 4 ms, sixteen together about 0.7 ms each).
    var publishers: Int { 16 }

    func worker(at path: FilePath) -> WorkerConfiguration {
        var worker = WorkerConfiguration(executable: path)
        worker.jobDeadline = .seconds(deadlineSeconds)
        // A push may name any of them; each result is held against its own profile's limit.
        worker.resultBytes = profiles.reduce(profile.recipe.maxBytes) { max($0, $1.recipe.maxBytes) }
        worker.allowsWeakSandbox = allowsWeakSandbox
        if isolation == .perImage { worker.jobsPerWorker = 1 }
        return worker
    }

    /// Longest time that one attempt at a file can take: that of a film, which is read and then has its still picture made.
    var longestAttempt: Duration {
        let worker = worker(at: "")
        return worker.longestJob + worker.forClips.longestJob + .seconds(10)
    }
}

extension WorkerConfiguration {
    /// A job is done twice at most, and begun as often as workers that do not stay are replaced, each with as many starts.
    fileprivate var longestJob: Duration {
        (jobDeadline + startDeadline * startAttempts) * (startAttempts + 2)
    }
}
