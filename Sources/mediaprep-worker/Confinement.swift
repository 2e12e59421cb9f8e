import Kernel

/// What a worker takes from itself before it sees the first byte of a stranger's file.
enum Confinement {
    /// Dies with the supervisor; no more address space for pictures than it was given; no core dump, which would hold
    /// the picture.
    ///
    /// Call it when the image library has started: what is mapped by then, libraries above all (measured: 154 MB, of
    /// which 30 MB are resident), comes on top of the pictures' share, so that a library more or less does not change
    /// which pictures decode.
    static func apply(_ arguments: WorkerArguments) throws(Errno) {
        try ProcessConfinement.dieWithParent(arguments.supervisor)
        let idle = try ProcessConfinement.mappedBytes()
        try ProcessConfinement.limitAddressSpace(bytes: idle + arguments.addressSpaceBytes)
        try ProcessConfinement.forbidCoreDumps()
    }
}
