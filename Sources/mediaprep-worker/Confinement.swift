import Kernel

/// What a worker takes from itself before it sees the first byte of a stranger's file.
enum Confinement {
    /// Dies with the supervisor; no more address space than it was given; no core dump, which would hold the picture.
    static func apply(_ arguments: WorkerArguments) throws(Errno) {
        try ProcessConfinement.dieWithParent(arguments.supervisor)
        try ProcessConfinement.limitAddressSpace(bytes: arguments.addressSpaceBytes)
        try ProcessConfinement.forbidCoreDumps()
    }
}
