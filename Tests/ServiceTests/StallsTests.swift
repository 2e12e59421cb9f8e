import Configuration
import Kernel
import Testing

@testable import Service

@Suite struct StallsTests {
    /// Stalls with a log that can be read.
    struct Told: ~Copyable {
        let ends: LogTests.Ends
        let abandon: StopFlag
        let stalls: Stalls

        init() throws {
            let pipe = try LogTests.Ends(pipe: true)
            let flag = try StopFlag()
            let log = ServiceLog(.text, descriptor: pipe.writer.rawValue, journalStream: nil)
            stalls = Stalls(log: log)
            ends = pipe
            abandon = flag
        }

        /// What was told since the last call, without the times.
        func lines() throws -> [String] {
            try ends.text().split(separator: "\n").map { line in
                line.split(separator: " ").dropFirst().joined(separator: " ")
            }
        }
    }

    static let isFull = "level=error event=stalled message=full"
    static let isFree = "level=notice event=resumed was=full"

    @Test("what succeeds at once is not told of")
    func nothing() throws {
        let told = try Told()
        #expect(told.stalls.persist(until: told.abandon) { Stalls.Attempt<Int>.done(7) } == 7)
        #expect(try told.lines() == [])
    }

    @Test("it is tried until it succeeds, and told once at the begin and once at the end")
    func retries() throws {
        let told = try Told()
        var attempts = 0
        let value = told.stalls.persist(until: told.abandon) { () -> Stalls.Attempt<String> in
            attempts += 1
            #expect(told.stalls.sentences == (attempts == 1 ? [] : ["full"]))
            return attempts < 3 ? .inTheWay("full") : .done("published")
        }
        #expect(value == "published")
        #expect(attempts == 3)
        #expect(told.stalls.sentences == [])
        #expect(try told.lines() == [Self.isFull, Self.isFree])
    }

    @Test("another thing in the way ends the first")
    func changes() throws {
        let told = try Told()
        var sentences = ["full", "gone"]
        let value: Void? = told.stalls.persist(until: told.abandon) { () -> Stalls.Attempt<Void> in
            sentences.isEmpty ? .done(()) : .inTheWay(sentences.removeFirst())
        }
        #expect(value != nil)
        #expect(
            try told.lines() == [
                Self.isFull, Self.isFree, "level=error event=stalled message=gone",
                "level=notice event=resumed was=gone",
            ])
    }

    @Test("what is in the way of several is told once, and is over when it is for the last of them")
    func holders() throws {
        let told = try Told()
        var isFirst = true
        let value: Void? = told.stalls.persist(until: told.abandon) { () -> Stalls.Attempt<Void> in
            if isFirst {
                isFirst = false
                return .inTheWay("full")
            }
            var isInnersFirst = true
            let inner: Void? = told.stalls.persist(until: told.abandon) { () -> Stalls.Attempt<Void> in
                defer { isInnersFirst = false }
                return isInnersFirst ? .inTheWay("full") : .done(())
            }
            #expect(inner != nil)
            #expect(told.stalls.sentences == ["full"], "the outer one still waits")
            return .done(())
        }
        #expect(value != nil)
        #expect(told.stalls.sentences == [])
        #expect(try told.lines() == [Self.isFull, Self.isFree])
    }

    @Test("to abandon ends it after one attempt, and leaves nothing stalled", arguments: [true, false])
    func abandoned(before: Bool) throws {
        let told = try Told()
        if before { told.abandon.set() }
        var attempts = 0
        let value = told.stalls.persist(until: told.abandon) { () -> Stalls.Attempt<Int> in
            attempts += 1
            told.abandon.set()
            return .inTheWay("full")
        }
        #expect(value == nil)
        #expect(attempts == 1)
        #expect(told.stalls.sentences == [])
        #expect(try told.lines() == [], "what is given up says nothing of the disk")
    }

    @Test("what succeeds is not lost because of a wish to abandon")
    func abandonedTooLate() throws {
        let told = try Told()
        told.abandon.set()
        #expect(told.stalls.persist(until: told.abandon) { Stalls.Attempt<Int>.done(7) } == 7)
    }

    @Test("a thread that waits is woken by the wish to abandon")
    func wakes() throws {
        let told = try Told()
        let (stalls, abandon) = (told.stalls, told.abandon)
        let isOver = try StopFlag()
        let thread = try SystemThread.start {
            let value = stalls.persist(until: abandon) { Stalls.Attempt<Int>.inTheWay("full") }
            if value == nil { isOver.set() }
        }
        while stalls.sentences.isEmpty {}
        abandon.set()
        thread.join()
        #expect(isOver.isSet)
    }
}
