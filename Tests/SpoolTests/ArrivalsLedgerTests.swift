import Kernel
import Testing

@testable import Spool

/// The decisions alone, without an inbox.
@Suite struct ArrivalsLedgerTests {
    private static let start = MonotonicInstant.now

    private func status(modified: Int64 = 0) throws -> FileStatus {
        var status = try FileDescriptor.status(of: "/proc/self/status")
        status.modified = modified
        return status
    }

    struct Rule: Sendable {
        var how: Appearance
        var kind: FileKind
        var writers: ReadLease.Writers
        var isUnfinished = false
        /// With a settle time of 250 ms; nil while somebody writes.
        var quiet: Duration?
    }

    static let rules = [
        Rule(how: .renamed, kind: .regular, writers: .none, quiet: .zero),
        Rule(how: .renamed, kind: .regular, writers: .unknown, quiet: .zero),
        Rule(how: .renamed, kind: .regular, writers: .some, quiet: nil),
        Rule(how: .renamed, kind: .directory, writers: .unknown, quiet: .zero),
        Rule(how: .closed, kind: .regular, writers: .none, quiet: .milliseconds(250)),
        Rule(how: .closed, kind: .regular, writers: .unknown, quiet: .milliseconds(250)),
        Rule(how: .closed, kind: .regular, writers: .some, quiet: nil),
        Rule(how: .created, kind: .regular, writers: .none, quiet: .milliseconds(250)),
        Rule(how: .created, kind: .regular, writers: .unknown, quiet: .seconds(30)),
        Rule(how: .renamed, kind: .directory, writers: .none, quiet: .zero),
        Rule(how: .renamed, kind: .directory, writers: .some, quiet: nil),
        Rule(how: .created, kind: .directory, writers: .none, quiet: .seconds(2)),
        Rule(how: .created, kind: .directory, writers: .unknown, quiet: .seconds(30)),
        Rule(how: .created, kind: .directory, writers: .some, quiet: nil),
        Rule(how: .found, kind: .directory, writers: .none, quiet: .seconds(2)),
        Rule(how: .found, kind: .directory, writers: .unknown, quiet: .seconds(2)),
        Rule(how: .found, kind: .directory, writers: .none, isUnfinished: true, quiet: .seconds(30)),
        Rule(how: .renamed, kind: .directory, writers: .none, isUnfinished: true, quiet: .zero),
        Rule(how: .created, kind: .fifo, writers: .unknown, quiet: .zero),
        Rule(how: .found, kind: .symlink, writers: .unknown, quiet: .zero),
        Rule(how: .found, kind: .regular, writers: .none, quiet: .milliseconds(250)),
        Rule(how: .found, kind: .regular, writers: .unknown, quiet: .seconds(2)),
        Rule(how: .putBack, kind: .regular, writers: .unknown, quiet: .seconds(2)),
    ]

    @Test("how long a file has to be quiet", arguments: rules)
    func quiet(_ rule: Rule) {
        let settle = SettleRule(settle: .milliseconds(250))
        func quiet(by settle: SettleRule) -> Duration? {
            settle.quiet(of: rule.how, kind: rule.kind, writers: rule.writers, isUnfinished: rule.isUnfinished)
        }
        #expect(quiet(by: settle) == rule.quiet)
        // A longer settle time counts wherever there is one at all.
        let longer = quiet(by: SettleRule(settle: .seconds(60)))
        #expect(longer == (rule.quiet.map { $0 == .zero ? .zero : .seconds(60) }))
    }

    struct Merge: Sendable {
        var first: Appearance
        var second: Appearance
        var result: Appearance
    }

    static let merges = [
        Merge(first: .created, second: .closed, result: .closed),
        Merge(first: .closed, second: .renamed, result: .renamed),
        Merge(first: .renamed, second: .closed, result: .closed),
        Merge(first: .renamed, second: .created, result: .created),
        Merge(first: .closed, second: .found, result: .closed),
        Merge(first: .putBack, second: .renamed, result: .putBack),
        Merge(first: .putBack, second: .closed, result: .closed),
        Merge(first: .found, second: .renamed, result: .renamed),
    ]

    @Test("what a name counts as after several signs", arguments: merges)
    func merge(_ merge: Merge) {
        #expect(merge.first.followed(by: merge.second) == merge.result)
    }

    @Test("a file whose lease says nothing waits longer when nobody was seen to close it")
    func unknownWriters() throws {
        var ledger = CandidateLedger(capacity: 8)
        let status = try status()
        ledger.arrive("a", as: .created, status: status, at: Self.start)
        var now = Self.start.advanced(by: .milliseconds(250))
        ledger.promote(at: now)
        #expect(ledger.pop() == "a")
        #expect(ledger.judge("a", by: .seen(status, .unknown), at: now) == nil)
        #expect(ledger.deadline == Self.start.advanced(by: .seconds(30)))
        now = Self.start.advanced(by: .seconds(30))
        ledger.promote(at: now)
        #expect(ledger.pop() == "a")
        #expect(ledger.judge("a", by: .seen(status, .unknown), at: now)?.name == "a")
    }

    @Test("whatever happens in whatever order, a ledger stays bounded and forgets nothing")
    func anything() throws {
        var random = Steps(state: 1)
        let status = try status()
        let names = (0..<40).map { FilePath("\($0)") }
        let capacity = 8
        for _ in 0..<50 {
            var ledger = CandidateLedger(capacity: capacity)
            var now = Self.start
            var work: [Candidate] = []
            func look(_ random: inout Steps) -> InboxLook {
                var seen = status
                seen.size = random.below(2)
                return switch random.below(6) {
                case 0: .gone
                case 1: .unreadable
                case 2: .unavailable(.tooManyOpenFiles)
                case 3: .seen(seen, .some)
                default: .seen(status, .none)
                }
            }
            for _ in 0..<300 {
                let name = names[random.below(names.count)]
                let hows: [Appearance] = [.renamed, .closed, .created, .found]
                switch random.below(9) {
                case 0, 1:
                    let how = hows[random.below(4)]
                    ledger.arrive(name, as: how, status: how == .renamed ? nil : status, at: now)
                case 2:
                    ledger.beginLook()
                    let found = names.filter { !ledger.alreadyKnows($0) }.prefix(ledger.backlogRoom)
                    let candidates = found.map { Candidate(name: $0, status: status) }
                    ledger.found(FoundNames(old: candidates, new: [], passedOver: random.below(2)), at: now)
                case 3, 4:
                    now = now.advanced(by: .milliseconds(random.below(2000)))
                    ledger.promote(at: now)
                case 5, 6:
                    #expect(!work.contains { $0.name == name } || ledger.alreadyKnows(name))
                    guard let next = ledger.pop() else { break }
                    #expect(!work.contains { $0.name == next })
                    if random.below(3) == 0 { ledger.arrive(next, as: .closed, status: status, at: now) }
                    if let candidate = ledger.judge(next, by: look(&random), at: now) { work.append(candidate) }
                case 7 where !work.isEmpty:
                    let candidate = work.remove(at: random.below(work.count))
                    ledger.finish(candidate.name, again: random.below(3) == 0, at: now)
                case 8 where !work.isEmpty:
                    ledger.refuse(work.remove(at: random.below(work.count)), at: now)
                default: break
                }
                var copy = ledger
                #expect(ledger.isReady == (copy.pop() != nil))
                #expect(ledger.waitingCount <= 2 * capacity)
                #expect(ledger.handedOutCount == work.count)
            }
            for candidate in work { ledger.finish(candidate.name, again: false, at: now) }
            let waiting = ledger.waitingCount
            var handedOut: Set<FilePath> = []
            for _ in 0..<4 {
                now = now.advanced(by: .seconds(100))
                ledger.promote(at: now)
                while let name = ledger.pop() {
                    if ledger.judge(name, by: .seen(status, .none), at: now) != nil { handedOut.insert(name) }
                }
            }
            #expect(handedOut.count == waiting)
            #expect(ledger.waitingCount == 0)
        }
    }
}

/// The same steps at every run.
private struct Steps {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
