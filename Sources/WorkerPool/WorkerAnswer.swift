public import JobProtocol
public import Kernel

/// What a worker said of one job, and what it wrote. Frozen, because only then may another module take it apart.
@frozen
public struct WorkerAnswer: ~Copyable, Sendable {
    public var reply: JobReply
    /// Unsealed: the worker may have it mapped still.
    public var result: MemoryFile
}
