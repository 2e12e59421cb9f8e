import CLinux
import Glibc
import Synchronization

/// A wish to stop: set once, seen by every thread, and something that poll(2) can wait for.
public final class StopFlag: Sendable {
    private let flag = Atomic(false)
    /// An eventfd that becomes readable when the flag is set, and stays so.
    public let descriptor: FileDescriptor

    /// eventfd(2).
    public init() throws(Errno) {
        descriptor = FileDescriptor(adopting: try systemCall { linux_eventfd() })
    }

    public var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Sets the flag, for good.
    public func set() {
        flag.store(true, ordering: .releasing)
        var one: UInt64 = 1
        // Fails only when the counter is full, and then it is readable already.
        _ = write(descriptor.rawValue, &one, MemoryLayout.size(ofValue: one))
    }
}
