internal import Kernel
internal import WorkerPool

/// Why no picture can be worked on just now; no picture is to blame.
enum WorkFailure: Error {
    /// The kernel gave no descriptor or no memory.
    case resources(Errno)
    /// A source cannot be read, and it need not be the source that is to blame.
    case source(Errno)
    /// No worker could be started.
    case workers(WorkerPoolError)
}
