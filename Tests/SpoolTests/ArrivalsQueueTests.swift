import Glibc
import Kernel
import Synchronization
import Testing

@testable import Spool

/// The queue between the thread that watches and those that work.
@Suite struct ArrivalsQueueTests {
    @Test("a name in work that arrives again is offered when the work is over", arguments: [true, false])
    func arrivesAgain(renamed: Bool) throws {
        let inbox = try ArrivalsInbox()
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["a.jpg"])
        try inbox.remove("a.jpg")
        if renamed { try inbox.renameIn("a.jpg") } else { try inbox.copy("a.jpg") }
        inbox.pass(.seconds(60))
        #expect(inbox.taken() == [])
        inbox.queue.finished("a.jpg", again: false, at: inbox.now)
        if !renamed {
            // The first look is that after the work.
            #expect(inbox.taken() == [])
            inbox.pass(.milliseconds(250))
        }
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("a name in work that is found by looking is offered when the work is over")
    func foundAgain() throws {
        let inbox = try ArrivalsInbox(ArrivalSettings(watchesEvents: false))
        try inbox.renameIn("a.jpg")
        inbox.pass(.seconds(2))
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
        try inbox.remove("a.jpg")
        try inbox.renameIn("a.jpg")
        inbox.pass(.seconds(2))
        inbox.queue.finished("a.jpg", again: false, at: inbox.now)
        #expect(inbox.taken() == [])
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("a file that is put back is not offered at once", arguments: [true, false])
    func putBack(finishedFirst: Bool) throws {
        let inbox = try ArrivalsInbox()
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["a.jpg"])
        let claim = inbox.root.appending("claim")
        try inbox.rename(inbox.path.appending("a.jpg"), to: claim)
        if finishedFirst { inbox.queue.finished("a.jpg", again: true, at: inbox.now) }
        try inbox.rename(claim, to: inbox.path.appending("a.jpg"))
        inbox.pass(.zero)
        if !finishedFirst { inbox.queue.finished("a.jpg", again: true, at: inbox.now) }
        #expect(inbox.taken() == [])
        inbox.pass(.milliseconds(999))
        #expect(inbox.taken() == [])
        inbox.pass(.milliseconds(1))
        #expect(inbox.taken() == [])
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("a file that is put back for a while is offered after it", arguments: [true, false])
    func putBackForAWhile(finishedFirst: Bool) throws {
        let inbox = try ArrivalsInbox()
        try inbox.renameIn("film.mp4")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["film.mp4"])
        let claim = inbox.root.appending("claim")
        try inbox.rename(inbox.path.appending("film.mp4"), to: claim)
        let start = inbox.now
        if finishedFirst { inbox.queue.finished("film.mp4", again: true, after: .seconds(60), at: start) }
        try inbox.rename(claim, to: inbox.path.appending("film.mp4"))
        inbox.pass(.zero)
        if !finishedFirst { inbox.queue.finished("film.mp4", again: true, after: .seconds(60), at: start) }
        for _ in 0..<60 {
            inbox.pass(.seconds(1))
            #expect(inbox.taken() == [])
        }
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["film.mp4"])
    }

    @Test("a file that cannot be moved is offered after a minute, or when it has changed", arguments: [true, false])
    func refused(changes: Bool) throws {
        let inbox = try ArrivalsInbox()
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        let candidate = try #require(inbox.queue.take(at: inbox.now))
        inbox.queue.refused(candidate, at: inbox.now)
        // No event makes it come sooner.
        for _ in 0..<29 {
            inbox.pass(.seconds(2))
            #expect(inbox.taken() == [])
        }
        if changes {
            try inbox.setModified("a.jpg", seconds: 1)
        }
        inbox.pass(.seconds(31))
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
    }

    @Test("work that began elsewhere keeps a name back")
    func began() throws {
        let inbox = try ArrivalsInbox()
        inbox.queue.began("a.jpg")
        try inbox.renameIn("b.jpg")
        inbox.pass(.zero)
        inbox.queue.began("b.jpg")
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == [])
        #expect(inbox.queue.counts == .init(waiting: 0, inWork: 2, hasMore: false))
        inbox.queue.finished("a.jpg", again: false, at: inbox.now)
        inbox.queue.finished("b.jpg", again: false, at: inbox.now)
        #expect(inbox.taken() == ["a.jpg", "b.jpg"])
    }

    @Test("every waiting thread ends when the stop flag is set")
    func stop() throws {
        let inbox = try ArrivalsInbox()
        let queue = inbox.queue
        let stop = try StopFlag()
        var threads: [Thread] = []
        for _ in 0..<4 { threads.append(try Thread { queue.next(stop: stop) }) }
        stop.set()
        #expect(threads.map { $0.result() } == [nil, nil, nil, nil])
    }

    @Test("several threads take each name once, one of which somebody still writes to for a while")
    func threads() throws {
        let inbox = try ArrivalsInbox()
        let (queue, path) = (inbox.queue, inbox.path)
        let stop = try StopFlag()
        let names = Mutex<[FilePath]>([])
        let count = 500
        var threads: [Thread] = []
        for _ in 0..<4 {
            threads.append(
                try Thread {
                    while let candidate = queue.next(stop: stop) {
                        // As the work does: a file that stays is found again.
                        try? FileDescriptor.unlink(path.appending(candidate.name))
                        queue.finished(candidate.name, again: false)
                        let taken = names.withLock {
                            $0.append(candidate.name)
                            return $0.count
                        }
                        if taken == count { stop.set() }
                    }
                    return nil
                })
        }
        let outside = try inbox.prepare("written")
        let writer = try FileDescriptor.open(outside, flags: .writeOnly)
        try inbox.rename(outside, to: path.appending("written"))
        for number in 1..<count {
            try inbox.renameIn(FilePath("\(number)"))
            if number % 7 == 0 { inbox.pass(.zero) }
        }
        inbox.pass(.zero)
        close(consume writer)
        // A child that another test starts has all files open until it is another program: any file may have a writer
        // for a moment, and is looked at again a second later.
        let end = MonotonicInstant.now.advanced(by: .seconds(60))
        while !stop.isSet, .now < end {
            inbox.pass(.milliseconds(100))
            _ = try Poll.readable([stop.descriptor.rawValue], until: .now.advanced(by: .milliseconds(10)))
        }
        stop.set()
        for thread in threads { _ = thread.result() }
        #expect(Set(names.withLock { $0 }).count == count)
        #expect(names.withLock { $0.count } == count)
    }

    @Test("what a thread does wakes the watching one when it is due sooner")
    func attention() throws {
        let inbox = try ArrivalsInbox()
        inbox.pass(.zero)
        try inbox.renameIn("a.jpg")
        inbox.pass(.zero)
        #expect(inbox.taken() == ["a.jpg"])
        let attention = inbox.queue.attention.descriptor.rawValue
        #expect(try Poll.readable([attention], until: .now) == [false])
        inbox.queue.finished("a.jpg", again: true, at: inbox.now)
        #expect(try Poll.readable([attention], until: .now) == [true])
        inbox.pass(.zero)
        #expect(try Poll.readable([attention], until: .now) == [false])
        #expect(inbox.now.duration(to: inbox.arrivals.deadline) == .seconds(1))
    }
}

/// A thread with a result.
private final class Thread: Sendable {
    private let candidate = Mutex<Candidate?>(nil)
    private let done: StopFlag

    init(_ body: @escaping @Sendable () -> Candidate?) throws {
        done = try StopFlag()
        let thread = try SystemThread.start { [self] in
            let result = body()
            candidate.withLock { $0 = result }
            done.set()
        }
        thread.detach()
    }

    /// Waits for its end.
    func result() -> Candidate? {
        _ = try? Poll.readable([done.descriptor.rawValue], until: .now.advanced(by: .seconds(60)))
        return candidate.withLock { $0 }
    }
}

/// Lets go of a file.
private func close(_ file: consuming FileDescriptor) {}
