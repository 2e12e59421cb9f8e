import Glibc
import Kernel
import Synchronization
import Testing
import WorkerPool

@testable import Service

/// What the service's threads share: patience, progress, and when all have come or gone.
@Suite struct ServeThreadsTests {
    // MARK: - LanePatience

    struct Step: Sendable {
        /// Seconds since the start.
        var time: Int
        /// Nil for a worker that started.
        var failure: WorkerPoolError?
        var isExhausted = false
    }

    struct Course: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
    }

    static let broken = WorkerPoolError.cannotStart(executable: "w", .notSpawned(.noSuchFileOrDirectory))
    static let shortage = WorkerPoolError.cannotStart(executable: "w", .notSpawned(.outOfMemory))

    @Test(arguments: [
        Course(
            testDescription: "a broken installation is told at once",
            steps: [Step(time: 0, failure: broken, isExhausted: true)]),
        Course(
            testDescription: "a shortage is waited out, even at the start",
            steps: [
                Step(time: 0, failure: shortage), Step(time: 10_000, failure: .system(.tooManyOpenFiles)),
                Step(time: 20_000, failure: broken, isExhausted: true),
            ]),
        Course(
            testDescription: "once a worker has started, a minute is given",
            steps: [
                Step(time: 0), Step(time: 500, failure: broken),
                Step(time: 559, failure: .workersDoNotStay(executable: "w")),
                Step(time: 560, failure: broken, isExhausted: true),
            ]),
        Course(
            testDescription: "a worker that starts makes it a new minute",
            steps: [
                Step(time: 0), Step(time: 1, failure: broken), Step(time: 60, failure: broken), Step(time: 60),
                Step(time: 62, failure: broken), Step(time: 121, failure: broken),
                Step(time: 122, failure: broken, isExhausted: true),
            ]),
        Course(
            testDescription: "a shortage in between neither counts nor ends the minute",
            steps: [
                Step(time: 0), Step(time: 0, failure: shortage), Step(time: 100, failure: broken),
                Step(time: 159, failure: shortage), Step(time: 500, failure: shortage),
                Step(time: 500, failure: broken, isExhausted: true),
            ]),
    ])
    func patience(_ course: Course) {
        let start = MonotonicInstant.now
        var patience = LanePatience()
        for step in course.steps {
            guard let failure = step.failure else {
                patience.succeeded()
                continue
            }
            let now = start.advanced(by: .seconds(step.time))
            #expect(patience.isExhausted(by: failure, at: now) == step.isExhausted, "after \(step.time) s")
        }
    }

    // MARK: - Heartbeat

    @Test("a lane that is at one step for too long is no progress, whatever the others do")
    func heartbeat() {
        let heartbeat = Heartbeat()
        let limit = Duration.seconds(5)
        #expect(heartbeat.isSteady(at: .now.advanced(by: .seconds(1_000))), "nobody has anything to do")
        let before = MonotonicInstant.now
        heartbeat.begin(lane: 0, limit: limit)
        let after = MonotonicInstant.now
        #expect(heartbeat.isSteady(at: before.advanced(by: limit)))
        let tooLate = after.advanced(by: limit + .nanoseconds(1))
        #expect(!heartbeat.isSteady(at: tooLate))
        heartbeat.begin(lane: 1, limit: .seconds(1_000))
        #expect(!heartbeat.isSteady(at: tooLate), "another may take longer")
        heartbeat.end(lane: 1)
        #expect(!heartbeat.isSteady(at: tooLate), "the end of another's step")
        heartbeat.end(lane: 0)
        #expect(heartbeat.isSteady(at: tooLate))
    }

    @Test("the next step of a lane has the whole time again")
    func nextStep() {
        let heartbeat = Heartbeat()
        heartbeat.begin(lane: 0, limit: .seconds(5))
        let after = MonotonicInstant.now
        while MonotonicInstant.now == after {}
        heartbeat.begin(lane: 0, limit: .seconds(5))
        #expect(heartbeat.isSteady(at: after.advanced(by: .seconds(5) + .nanoseconds(1))))
    }

    // MARK: - Latch

    @Test("it opens with the last that arrives, and stays open", arguments: [1, 2, 5])
    func latch(count: Int) throws {
        let latch = try Latch(count: count)
        for _ in 1..<count {
            latch.arrive()
            #expect(!latch.opened.isSet)
        }
        if count == 1 { #expect(!latch.opened.isSet) }
        latch.arrive()
        #expect(latch.opened.isSet)
        latch.arrive()
        #expect(latch.opened.isSet)
    }

    // MARK: - Crew

    @Test("the end is told when the last thread has ended, and not before")
    func crewEnds() throws {
        let crew = try Crew()
        let mayEnd = [try StopFlag(), try StopFlag()]
        let worked = Mutex(0)
        for flag in mayEnd {
            try crew.start {
                Self.wait(for: flag)
                worked.withLock { $0 += 1 }
            }
        }
        mayEnd[0].set()
        while worked.withLock({ $0 }) == 0 { sched_yield() }
        mayEnd[1].set()
        while worked.withLock({ $0 }) == 1 { sched_yield() }
        #expect(!crew.ended.isSet, "there may be further threads")
        crew.startEnded()
        Self.wait(for: crew.ended)
        #expect(crew.ended.isSet)
        #expect(worked.withLock { $0 } == 2)
        #expect(crew.failure == nil && !crew.failed.isSet)
    }

    @Test("the first failure is the one that is told")
    func crewFails() throws {
        let crew = try Crew()
        crew.fail(.resources(.outOfMemory))
        #expect(crew.failed.isSet && !crew.ended.isSet)
        crew.fail(.workers(.stopped))
        guard case .resources(.outOfMemory) = crew.failure else {
            Issue.record("it is \(String(describing: crew.failure))")
            return
        }
    }

    /// Waits until it is set, or for far longer than that can take.
    static func wait(for flag: StopFlag) {
        _ = try? Poll.readable([flag.descriptor.rawValue], until: .now.advanced(by: .seconds(60)))
    }
}
