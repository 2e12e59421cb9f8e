internal import Kernel
internal import WorkerPool

/// Why a file cannot be worked on just now; the file is not to blame.
enum WorkFailure: Error {
    /// The kernel gave no descriptor or no memory.
    case resources(Errno)
    /// A source cannot be read, and it need not be the source that is to blame.
    case source(Errno)
    /// No worker could be started.
    case workers(WorkerPoolError)
    /// None for sound and film; pictures can go on.
    case clipWorkers(WorkerPoolError)
}
