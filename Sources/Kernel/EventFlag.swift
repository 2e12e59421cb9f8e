import CLinux
import Glibc

/// Something that poll(2) can wait for, and that can be set and reset any number of times.
public final class EventFlag: Sendable {
    /// An eventfd that is readable while the flag is set.
    public let descriptor: FileDescriptor

    /// eventfd(2).
    public init() throws(Errno) {
        descriptor = FileDescriptor(adopting: try systemCall { linux_eventfd() })
    }

    public func set() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then it is readable already.
        _ = write(descriptor.rawValue, &one, MemoryLayout.size(ofValue: one))
    }

    public func reset() {
        var count: UInt64 = 0
        // Fails only when the counter is zero already.
        _ = read(descriptor.rawValue, &count, MemoryLayout.size(ofValue: count))
    }
}
