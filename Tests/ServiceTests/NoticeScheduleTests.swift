import Kernel
import Testing

@testable import Service
@testable import Spool

@Suite struct NoticeScheduleTests {
    let start = MonotonicInstant.now

    func later(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    func id(_ number: Int) -> ClaimID { ClaimID(value: UInt64(number)) }

    /// Takes what has to be there to take.
    func take(
        from schedule: inout NoticeSchedule, at now: MonotonicInstant, runs: Bool = true
    ) throws -> NoticeSchedule.Entry {
        let entry = schedule.take(at: now, runs: runs)
        return try #require(entry)
    }

    func look(into schedule: inout NoticeSchedule, _ ids: [ClaimID], isAll: Bool) {
        _ = schedule.beginLook()
        schedule.endLook(ids, isAll: isAll, at: start)
    }

    @Test("the one that has been due for longest is first; of several, the oldest outcome")
    func order() throws {
        var schedule = NoticeSchedule()
        schedule.add(id(1), at: later(2))
        schedule.add(id(4), at: later(1))
        schedule.add(id(3), at: later(1))
        schedule.add(id(2), at: later(3))
        #expect(schedule.nextDue() == later(1))
        #expect(schedule.take(at: start)?.id == nil, "none is due yet")
        var told: [ClaimID] = []
        while let next = schedule.take(at: later(2)) { told.append(next.id) }
        #expect(told == [id(3), id(4), id(1)])
        #expect(schedule.nextDue() == later(3))
        #expect(schedule.take(at: later(3))?.id == id(2))
        #expect(schedule.nextDue() == nil)
        #expect(schedule.count == 4, "those that are being told count")
    }

    @Test("each failure doubles the pause, up to five minutes")
    func backOff() throws {
        var schedule = NoticeSchedule()
        schedule.add(id(1), at: start)
        var now = start
        var pauses: [Duration] = []
        for attempt in 0..<100 {
            let entry = try take(from: &schedule, at: now)
            #expect(entry.attempts == attempt)
            schedule.finish(entry, .failed, at: now)
            let due = try #require(schedule.nextDue())
            #expect(schedule.take(at: due.advanced(by: .nanoseconds(-1)))?.id == nil)
            pauses.append(now.duration(to: due))
            now = due
        }
        let seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256] + [Int](repeating: 300, count: 91)
        #expect(pauses == seconds.map { .seconds($0) })
    }

    @Test("what is known already is not added again, and keeps its time and its attempts")
    func duplicates() throws {
        var schedule = NoticeSchedule()
        schedule.add(id(1), at: start)
        schedule.add(id(1), at: later(60))
        #expect(schedule.count == 1 && schedule.nextDue() == start)

        let running = try take(from: &schedule, at: start)
        schedule.add(id(1), at: start)
        look(into: &schedule, [id(1)], isAll: true)
        #expect(schedule.count == 1 && schedule.nextDue() == nil, "it is being told now")

        schedule.finish(running, .failed, at: start)
        schedule.add(id(1), at: later(60))
        #expect(schedule.count == 1 && schedule.nextDue() == later(1))
        let again = try take(from: &schedule, at: later(1))
        #expect(again.attempts == 1)

        schedule.finish(again, .over, at: later(1))
        #expect(schedule.count == 0 && schedule.nextDue() == nil)
        schedule.add(id(1), at: start)
        #expect(schedule.take(at: start)?.attempts == 0, "it is another run of the same outcome")
    }

    @Test("memory holds a bounded part; the disk is looked at when there is room again")
    func capacity() throws {
        var schedule = NoticeSchedule()
        #expect(schedule.isPartial && schedule.wantsMore, "what an earlier service left is on the disk")
        look(into: &schedule, [], isAll: true)
        #expect(!schedule.isPartial && !schedule.wantsMore)

        let all = (0..<NoticeSchedule.capacity).map(id)
        look(into: &schedule, all, isAll: true)
        #expect(!schedule.isPartial)
        schedule.add(id(5_000), at: start)
        #expect(schedule.count == NoticeSchedule.capacity)
        #expect(schedule.isPartial && !schedule.wantsMore, "one is on the disk alone, and there is no room")

        for number in 0..<NoticeSchedule.capacity / 2 {
            let entry = try take(from: &schedule, at: start)
            #expect(entry.id == id(number))
            #expect(!schedule.wantsMore)
            schedule.finish(entry, .over, at: start)
        }
        #expect(!schedule.wantsMore)
        let entry = try take(from: &schedule, at: start)
        #expect(schedule.wantsMore)
        schedule.finish(entry, .failed, at: start)
        #expect(!schedule.wantsMore, "it waits again")
    }

    @Test(
        "what the disk holds more of than was read stays known as such",
        arguments: [(10, true, false), (10, false, true), (NoticeSchedule.capacity + 1, true, true)])
    func partial(count: Int, isAll: Bool, isPartial: Bool) {
        var schedule = NoticeSchedule()
        look(into: &schedule, (0..<count).map(id), isAll: isAll)
        #expect(schedule.isPartial == isPartial)
        #expect(schedule.count == min(count, NoticeSchedule.capacity))
    }

    @Test("one that failed comes back even where others have taken its room")
    func noRoomForFailure() throws {
        var schedule = NoticeSchedule()
        look(into: &schedule, (0..<NoticeSchedule.capacity).map(id), isAll: true)
        let entry = try take(from: &schedule, at: start)
        schedule.add(id(5_000), at: start)
        schedule.finish(entry, .failed, at: start)
        #expect(schedule.count == NoticeSchedule.capacity + 1)
        var told: [ClaimID] = []
        while let next = schedule.take(at: later(1)) { told.append(next.id) }
        #expect(told.last == id(0), "it is due later than all others")
    }

    @Test("what is being published is not told before that is done, whatever lies on the disk")
    func expected() throws {
        var schedule = NoticeSchedule()
        schedule.expect(id(1))
        schedule.expect(id(2))
        look(into: &schedule, [id(1), id(2), id(3)], isAll: true)
        #expect(schedule.take(at: start)?.id == id(3))
        #expect(schedule.take(at: start)?.id == nil && schedule.nextDue() == nil)
        schedule.add(id(1), at: start)
        #expect(!schedule.expects(id(1)) && schedule.expects(id(2)))
        #expect(schedule.take(at: start)?.id == id(1))
        schedule.cancel(id(2))
        #expect(!schedule.expects(id(2)) && schedule.nextDue() == nil)
    }

    @Test("one that has no room while the disk is looked at is looked for again", arguments: [true, false])
    func overflowDuringLook(isAll: Bool) {
        var schedule = NoticeSchedule()
        let isFirst = schedule.beginLook()
        #expect(isFirst)
        let isSecond = schedule.beginLook()
        #expect(!isSecond, "one look at a time")
        for number in 0...NoticeSchedule.capacity { schedule.add(id(number), at: start) }
        schedule.endLook([], isAll: isAll, at: start)
        #expect(schedule.isPartial)
    }

    @Test("what is in the way of a run counts as none, and is tried again within half a minute")
    func postponed() throws {
        var schedule = NoticeSchedule()
        schedule.add(id(1), at: start)
        var now = start
        var pauses: [Duration] = []
        let ends = [NoticeSchedule.End](repeating: .postponed, count: 7) + [.failed, .postponed, .failed]
        for end in ends {
            schedule.finish(try take(from: &schedule, at: now), end, at: now)
            let due = try #require(schedule.nextDue())
            pauses.append(now.duration(to: due))
            now = due
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 1, 1, 2].map { .seconds($0) })
        #expect(try take(from: &schedule, at: now).attempts == 2)
    }

    @Test("of what was told only the file is to be removed, with or without a program")
    func told() throws {
        var schedule = NoticeSchedule()
        schedule.add(id(1), at: start)
        schedule.add(id(2), at: start)
        schedule.finish(try take(from: &schedule, at: start), .told, at: start)
        look(into: &schedule, [id(1), id(2)], isAll: true)
        schedule.add(id(1), at: start)
        #expect(schedule.count == 1, "it is not told again")
        #expect(schedule.nextDue() == start && schedule.nextDue(runs: false) == later(1))
        #expect(schedule.take(at: start, runs: false)?.id == nil)
        let entry = try take(from: &schedule, at: later(1), runs: false)
        #expect(entry.id == id(1) && entry.isTold)
        schedule.finish(entry, .told, at: later(1))
        #expect(schedule.nextDue(runs: false) == later(3))
        schedule.finish(try take(from: &schedule, at: later(3), runs: false), .over, at: later(3))
        #expect(schedule.take(at: later(900), runs: false)?.id == nil, "without a program it waits")
        #expect(try take(from: &schedule, at: later(900)).id == id(2))
    }
}
