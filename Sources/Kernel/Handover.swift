import Glibc

/// A bounded queue by which threads hand values that cannot be copied to other threads.
public final class Handover<Value: ~Copyable & Sendable>: @unchecked Sendable {
    // What cannot be copied cannot be kept in an array, but a box of it can.
    private final class Box {
        var value: Value?

        init(_ value: consuming Value) {
            self.value = consume value
        }
    }

    private let capacity: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var boxes: [Box] = []
    private var isClosed = false

    /// - Parameter capacity: values that are kept for takers; whoever gives more waits.
    public init(capacity: Int) {
        self.capacity = capacity
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Waits for room, and hands `value` over. What is given after the end is handed over all the same.
    public func give(_ value: consuming Value) {
        let box = Box(value)
        pthread_mutex_lock(mutex)
        while boxes.count >= capacity, !isClosed { pthread_cond_wait(changed, mutex) }
        boxes.append(box)
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for a value; nil once the handover has ended and nothing is left.
    public func take() -> Value? {
        pthread_mutex_lock(mutex)
        while boxes.isEmpty, !isClosed { pthread_cond_wait(changed, mutex) }
        let box = boxes.isEmpty ? nil : boxes.removeFirst()
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
        return box?.value.take()
    }

    /// Ends the handover: takers get what is left, and then nil.
    public func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }
}
