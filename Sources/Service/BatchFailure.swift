public import Kernel
public import WorkerPool

/// Why a batch could not do its own work, whatever the files are.
public enum BatchFailure: Error, Sendable {
    /// A SOURCE cannot be looked at.
    case source(FilePath, Errno)
    /// One of several SOURCEs is a directory that is not called by its name, such as `..`.
    case nameless(FilePath)
    /// OUTPUT is one of the SOURCEs.
    case outputIsSource(FilePath)
    /// Two SOURCEs would be written to the same place.
    case sameTarget(FilePath, FilePath)
    /// The output cannot be created, locked or written.
    case output(FilePath, Errno)
    /// Another batch is writing to this output.
    case outputInUse(FilePath)
    /// Standard output cannot be written.
    case standardOutput(Errno)
    /// The kernel gave no thread or no memory file.
    case resources(Errno)
    /// No worker could be started.
    case workers(WorkerPoolError)
}

extension BatchFailure {
    /// The failure that a piece of work ended with, where it can end with nothing else but a rejection.
    init(_ error: any Error) {
        switch error {
        case let failure as BatchFailure: self = failure
        case WorkFailure.resources(let error), WorkFailure.source(let error): self = .resources(error)
        case WorkFailure.workers(let error), WorkFailure.clipWorkers(let error): self = .workers(error)
        default: preconditionFailure("work ends with an outcome, a rejection or a failure, not with \(error)")
        }
    }
}
