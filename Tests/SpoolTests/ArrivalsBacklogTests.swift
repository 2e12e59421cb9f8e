import Glibc
import Kernel
import Testing

@testable import Spool

/// Many files that wait already: the oldest first, in bounded memory, and nobody starves.
@Suite struct ArrivalsBacklogTests {
    /// Takes everything, removes it and goes on, until nothing comes any more.
    private func drain(_ inbox: ArrivalsInbox, rounds: Int) throws -> [FilePath] {
        var names: [FilePath] = []
        for _ in 0..<rounds {
            inbox.pass(.seconds(1))
            while let candidate = inbox.queue.take(at: inbox.now) {
                try inbox.remove(candidate.name)
                inbox.queue.finished(candidate.name, again: false, at: inbox.now)
                names.append(candidate.name)
            }
        }
        return names
    }

    private func name(_ number: Int) -> FilePath {
        let digits = String(number)
        return FilePath(String(repeating: "0", count: 6 - digits.count) + digits)
    }

    /// - Parameters:
    ///   - modified: In seconds since 1970; nil for now.
    private func make(
        _ names: some Sequence<FilePath>, in path: FilePath, modified: (FilePath) -> Int? = { _ in nil }
    ) throws {
        let directory = try FileDescriptor.open(path, flags: .directory)
        for name in names {
            _ = try FileDescriptor.open(name, flags: [.writeOnly, .create], relativeTo: directory)
            if let seconds = modified(name) { try directory.setModified(name, seconds: seconds) }
        }
    }

    @Test("the oldest first, and in byte order where ages are equal, over many looks through the inbox")
    func oldestFirst() throws {
        let young = (0..<500).map(name)
        let old = (500..<1000).map(name)
        let inbox = try ArrivalsInbox(capacity: 64) { path in
            try make(young.shuffled(), in: path) { _ in 2_000_000 }
            try make(old.shuffled(), in: path) { 1_000_000 - (Int($0.description) ?? 0) }
        }
        #expect(inbox.queue.counts == .init(waiting: 64, inWork: 0, hasMore: true))
        #expect(try drain(inbox, rounds: 50) == old.reversed() + young)
        #expect(!inbox.queue.counts.hasMore)
    }

    @Test("100,000 names: bounded, and in order")
    func hundredThousand() throws {
        let count = 100_000
        let inbox = try ArrivalsInbox(ArrivalSettings(settle: .zero), inMemory: true) {
            try make((0..<count).lazy.map(name), in: $0)
        }
        #expect(inbox.queue.counts == .init(waiting: 8192, inWork: 0, hasMore: true))
        for expected in 0..<8192 {
            let candidate = try #require(inbox.queue.take(at: inbox.now))
            guard candidate.name == name(expected) else {
                Issue.record("\(candidate.name) instead of \(name(expected))")
                return
            }
            try inbox.remove(candidate.name)
            inbox.queue.finished(candidate.name, again: false, at: inbox.now)
        }
        inbox.pass(.seconds(1))
        #expect(inbox.queue.counts == .init(waiting: 8192, inWork: 0, hasMore: true))
        #expect(inbox.queue.take(at: inbox.now)?.name == name(8192))
    }

    @Test("new arrivals and the backlog come by turns", arguments: [true, false])
    func turns(watchesEvents: Bool) throws {
        let inbox = try ArrivalsInbox(
            ArrivalSettings(poll: .seconds(2), watchesEvents: watchesEvents), capacity: 64
        ) { try make((0..<200).map(name), in: $0) }
        for number in 0..<5 {
            // A look through an inbox with a full queue still finds what is younger than the last one.
            try inbox.renameIn(FilePath("new\(number)"))
            try inbox.setModified(FilePath("new\(number)"), seconds: 2_000_000_000 + number)
        }
        inbox.pass(.seconds(2))
        inbox.pass(.milliseconds(250))
        let order = inbox.taken().prefix(10).map { $0.bytes.starts(with: FilePath("new").bytes) }
        #expect(order.count { $0 } == 5)
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("names that cannot be moved do not keep others out")
    func immovable() throws {
        let inbox = try ArrivalsInbox(capacity: 32) { try make((0..<100).map(name), in: $0) }
        var names: Set<FilePath> = []
        for _ in 0..<20 {
            inbox.pass(.seconds(1))
            while let candidate = inbox.queue.take(at: inbox.now) {
                #expect(names.insert(candidate.name).inserted)
                inbox.queue.refused(candidate, at: inbox.now)
            }
        }
        #expect(names.count == 100)
    }

    @Test("a name that is told of without end takes no more memory than another")
    func storm() throws {
        let inbox = try ArrivalsInbox(capacity: 16)
        for _ in 0..<50 {
            for _ in 0..<100 { try inbox.copy("a.jpg") }
            inbox.pass(.milliseconds(10))
            #expect(inbox.queue.counts.waiting == 1)
        }
        inbox.pass(.milliseconds(250))
        #expect(inbox.taken() == ["a.jpg"])
    }
}

extension FileDescriptor {
    fileprivate func setModified(_ name: FilePath, seconds: Int) throws(Errno) {
        try name.withCString { (name) throws(Errno) in
            let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
            if utimensat(rawValue, name, times, 0) != 0 { throw .current }
        }
    }
}
