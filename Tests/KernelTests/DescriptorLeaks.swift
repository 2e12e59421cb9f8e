import Kernel

/// How many descriptors each run of `body` leaves open, for a test in a process of its own.
///
/// An average over many runs, rounded down: Dispatch opens some of its own meanwhile, once, and when it likes.
func descriptorsLeft(by body: () throws -> Void) throws -> Int {
    let runs = 20
    let before = try openDescriptorCount()
    for _ in 0..<runs { try body() }
    return (try openDescriptorCount() - before) / runs
}

private func openDescriptorCount() throws -> Int {
    try DirectoryListing(of: FileDescriptor.open("/proc/self/fd", flags: .directory)).entries.count
}
