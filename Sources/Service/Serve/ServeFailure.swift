public import Kernel
public import Spool
public import WorkerPool

/// Why a service could not do its own work, whatever the files are.
public enum ServeFailure: Error, Sendable {
    /// The directories cannot be used, or another service uses them.
    case spool(SpoolFailure)
    /// No worker could be started.
    case workers(WorkerPoolError)
    /// The kernel gave no thread or descriptor.
    case resources(Errno)
}
