import Kernel
import Synchronization
import Testing

@Suite struct HandoverTests {
    private struct Value: ~Copyable, Sendable {
        let number: Int
    }

    @Test("each value is taken once, whoever waits for whom")
    func threads() throws {
        let handover = Handover<Value>(capacity: 2)
        let taken = Mutex<[Int]>([])
        let takers = try (0..<3).map { _ in
            try Joined { while let value = handover.take() { taken.withLock { $0.append(value.number) } } }
        }
        let givers = try (0..<3).map { giver in
            try Joined { for number in 0..<200 { handover.give(Value(number: giver * 200 + number)) } }
        }
        for giver in givers { giver.join() }
        handover.close()
        for taker in takers { taker.join() }
        #expect(taken.withLock { $0.sorted() } == Array(0..<600))
    }

    @Test("what was given before the end, and after it, is still taken; then nothing comes")
    func end() {
        let handover = Handover<Value>(capacity: 1)
        handover.give(Value(number: 1))
        handover.close()
        handover.give(Value(number: 2))
        var numbers: [Int] = []
        while let value = handover.take() { numbers.append(value.number) }
        #expect(numbers == [1, 2])
    }

    /// A thread that an array can hold.
    private final class Joined {
        private var thread: SystemThread?

        init(_ body: @escaping @Sendable () -> Void) throws(Errno) {
            thread = try SystemThread.start(body)
        }

        func join() { thread.take()?.join() }
    }
}
