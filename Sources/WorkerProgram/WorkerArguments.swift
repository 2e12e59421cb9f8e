/// What the supervisor says on the command line.
struct WorkerArguments {
    static let usage = "ADDRESS-SPACE-BYTES RESULT-BYTES SUPERVISOR-PID strict|weak"

    /// Most address space that a worker may use beside what it has mapped when it is ready.
    let addressSpaceBytes: UInt64
    /// Most bytes of one result.
    let resultBytes: UInt64
    /// The process that this one must not outlive.
    let supervisor: Int32
    /// Whether workers serve without a layer of the sandbox that the system does not give.
    let allowsWeakSandbox: Bool

    /// Nil where it is not as `usage` says.
    init?(_ arguments: some Collection<String>) {
        let words = Array(arguments)
        guard words.count == 4, let space = UInt64(words[0]), let result = UInt64(words[1]),
            let supervisor = Int32(words[2]), ["strict", "weak"].contains(words[3])
        else { return nil }
        addressSpaceBytes = space
        resultBytes = result
        self.supervisor = supervisor
        allowsWeakSandbox = words[3] == "weak"
    }
}
