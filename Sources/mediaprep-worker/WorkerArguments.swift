/// What the supervisor says on the command line.
struct WorkerArguments {
    /// Most address space that this process may use beside what it has mapped when it is ready.
    let addressSpaceBytes: UInt64
    /// The process that this one must not outlive.
    let supervisor: Int32

    /// Nil where there are not exactly two numbers.
    init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard words.count == 2, let bytes = UInt64(words[0]), let supervisor = Int32(words[1]) else { return nil }
        addressSpaceBytes = bytes
        self.supervisor = supervisor
    }
}
