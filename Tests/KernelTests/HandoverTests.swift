import Glibc
import Kernel
import Synchronization
import Testing

@Suite struct HandoverTests {
    /// Counts the ends of values.
    final class Ends: Sendable {
        private let counted = Mutex<[Int]>([])

        func add(_ number: Int) { counted.withLock { $0.append(number) } }

        var numbers: [Int] { counted.withLock { $0.sorted() } }
    }

    /// A value that cannot be copied, and that tells of its end.
    struct Parcel: ~Copyable, Sendable {
        let number: Int
        let ends: Ends

        deinit { ends.add(number) }
    }

    /// Takes a value, whose number is all that stays of it.
    static func next(of handover: Handover<Parcel>) -> Int? {
        switch handover.take() {
        case .some(let parcel): parcel.number
        case nil: nil
        }
    }

    @Test("values come out in the order in which they went in, and end once")
    func order() {
        let ends = Ends()
        let handover = Handover<Parcel>(capacity: 10)
        for number in 1...3 { handover.give(Parcel(number: number, ends: ends)) }
        #expect(ends.numbers == [])
        #expect(Self.next(of: handover) == 1)
        #expect(ends.numbers == [1])
        #expect(Self.next(of: handover) == 2)
        #expect(Self.next(of: handover) == 3)
        #expect(ends.numbers == [1, 2, 3])
    }

    @Test("takers get what is left after the end, and then nil")
    func close() {
        let ends = Ends()
        let handover = Handover<Parcel>(capacity: 10)
        handover.give(Parcel(number: 1, ends: ends))
        handover.close()
        handover.give(Parcel(number: 2, ends: ends))
        #expect(Self.next(of: handover) == 1)
        #expect(Self.next(of: handover) == 2)
        #expect(Self.next(of: handover) == nil)
        #expect(Self.next(of: handover) == nil)
        #expect(ends.numbers == [1, 2])
    }

    @Test("values that nobody takes end once, with the handover")
    func left() {
        let ends = Ends()
        do {
            let handover = Handover<Parcel>(capacity: 3)
            for number in 1...3 { handover.give(Parcel(number: number, ends: ends)) }
            #expect(Self.next(of: handover) == 1)
            handover.close()
            #expect(ends.numbers == [1])
        }
        #expect(ends.numbers == [1, 2, 3])
    }

    @Test("who gives more than there is room for waits until something is taken", arguments: [1, 3])
    func capacity(_ capacity: Int) throws {
        let ends = Ends()
        let handover = Handover<Parcel>(capacity: capacity)
        let given = Atomic64()
        let thread = try SystemThread.start {
            for number in 1...10 {
                handover.give(Parcel(number: number, ends: ends))
                given.value.store(number, ordering: .releasing)
            }
        }
        for number in 1...10 {
            // What is given is at most what was taken and what there is room for.
            #expect(given.value.load(ordering: .acquiring) <= number - 1 + capacity)
            #expect(Self.next(of: handover) == number)
        }
        thread.join()
        #expect(ends.numbers == Array(1...10))
    }

    @Test("the end lets go of whoever waits for room, with what was given")
    func closedWhileFull() throws {
        let ends = Ends()
        let handover = Handover<Parcel>(capacity: 1)
        handover.give(Parcel(number: 1, ends: ends))
        let thread = try SystemThread.start { handover.give(Parcel(number: 2, ends: ends)) }
        handover.close()
        thread.join()
        #expect(Self.next(of: handover) == 1)
        #expect(Self.next(of: handover) == 2)
        #expect(Self.next(of: handover) == nil)
        #expect(ends.numbers == [1, 2])
    }

    @Test("the end lets go of all that wait for a value")
    func closedWhileEmpty() throws {
        let handover = Handover<Parcel>(capacity: 1)
        let empty = Atomic64()
        let threads = try (0..<3).map { _ in
            try Joined { if Self.next(of: handover) == nil { empty.value.add(1, ordering: .relaxed) } }
        }
        handover.close()
        for thread in threads { thread.join() }
        #expect(empty.value.load(ordering: .relaxed) == 3)
    }

    @Test("between many threads nothing is lost and nothing comes twice")
    func threads() throws {
        let ends = Ends()
        let taken = Ends()
        let handover = Handover<Parcel>(capacity: 4)
        let givers = try (0..<3).map { giver in
            try Joined {
                for number in 0..<200 { handover.give(Parcel(number: giver * 1_000 + number, ends: ends)) }
            }
        }
        let takers = try (0..<3).map { _ in
            try Joined { while let number = Self.next(of: handover) { taken.add(number) } }
        }
        for giver in givers { giver.join() }
        handover.close()
        for taker in takers { taker.join() }
        let all = (0..<3).flatMap { giver in (0..<200).map { giver * 1_000 + $0 } }
        #expect(taken.numbers == all)
        #expect(ends.numbers == all)
    }

    /// A number for several threads.
    final class Atomic64: Sendable {
        let value = Atomic(0)
    }

    /// A thread that can be kept in an array.
    final class Joined {
        private let isOver: StopFlag

        init(_ body: @escaping @Sendable () -> Void) throws {
            let isOver = try StopFlag()
            self.isOver = isOver
            try SystemThread.start {
                body()
                isOver.set()
            }.detach()
        }

        func join() {
            let ready = try? Poll.readable([isOver.descriptor.rawValue], until: .now.advanced(by: .seconds(120)))
            #expect(ready == [true])
        }
    }
}
