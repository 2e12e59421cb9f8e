internal import Kernel
internal import Synchronization

/// Something that as many threads have to arrive at before it opens.
final class Latch: Sendable {
    private let missing: Mutex<Int>
    /// Set when all have arrived.
    let opened: StopFlag

    init(count: Int) throws(Errno) {
        missing = Mutex(count)
        opened = try StopFlag()
    }

    func arrive() {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { opened.set() }
    }
}
