import AttachmentRules
import Configuration
import Kernel
import Testing
import WorkerPool

@testable import Service
@testable import Spool

/// What the settings mean to the parts of the service.
@Suite struct ServePlanTests {
    static func settings(_ change: (inout ServeSettings) -> Void) -> ServeSettings {
        var settings = ServeSettings()
        change(&settings)
        return settings
    }

    @Test("without a number there is a lane for each processor")
    func lanes() {
        #expect(ServeSettings().lanes >= 1)
        #expect(Self.settings { $0.jobs = 7 }.lanes == 7)
    }

    @Test("inbox and outbox lie in the root unless they are set")
    func places() {
        let plain = Self.settings { $0.root = "/r" }.places
        #expect(
            [plain.inbox, plain.outbox, plain.work, plain.done, plain.rejected]
                == ["/r/inbox", "/r/outbox", "/r/work", "/r/done", "/r/rejected"])
        let set = Self.settings {
            $0.root = "/r"
            $0.inbox = "/in"
            $0.outbox = "/out"
        }.places
        #expect([set.root, set.inbox, set.outbox, set.work] == ["/r", "/in", "/out", "/r/work"])
    }

    @Test("how arrivals are noticed")
    func arrivals() {
        let settings = Self.settings {
            $0.settleMilliseconds = 1_250
            $0.rescanSeconds = 61
            $0.pollSeconds = 3
            $0.ignoredNames = ["*.part"]
        }
        let events = ArrivalSettings(
            settle: .milliseconds(1_250), rescan: .seconds(61), poll: .seconds(3), watchesEvents: true,
            ignored: ["*.part"])
        #expect(settings.arrivals == events)
        var poll = settings
        poll.watch = .poll
        #expect(!poll.arrivals.watchesEvents)
    }

    struct WorkerCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var settings: @Sendable (inout ServeSettings) -> Void
        var worker: @Sendable (inout WorkerConfiguration) -> Void
    }

    @Test(arguments: [
        WorkerCase(testDescription: "defaults", settings: { _ in }, worker: { _ in }),
        WorkerCase(
            testDescription: "the deadline is a job's", settings: { $0.deadlineSeconds = 77 },
            worker: { $0.jobDeadline = .seconds(77) }),
        WorkerCase(
            testDescription: "the largest recipe's bytes bound a result",
            settings: { $0.profile.recipe.maxBytes = 234_567 }, worker: { $0.resultBytes = 234_567 }),
        WorkerCase(
            testDescription: "a weak sandbox only where that is allowed", settings: { $0.allowsWeakSandbox = true },
            worker: { $0.allowsWeakSandbox = true }),
        WorkerCase(
            testDescription: "a fresh process for every picture", settings: { $0.isolation = .perImage },
            worker: { $0.jobsPerWorker = 1 }),
    ])
    func worker(_ test: WorkerCase) {
        var expected = WorkerConfiguration(executable: "/usr/libexec/w")
        expected.jobDeadline = .seconds(ServeSettings().deadlineSeconds)
        // That of the profile web, which a push may name.
        expected.resultBytes = 200_000
        test.worker(&expected)
        #expect(Self.settings(test.settings).worker(at: "/usr/libexec/w") == expected)
    }

    @Test("the watchdog is more patient than any picture may take", arguments: [1, 10, 600])
    func longestAttempt(deadline: Int) {
        let settings = Self.settings { $0.deadlineSeconds = deadline }
        let worker = settings.worker(at: "w")
        let oneStart = worker.startDeadline * worker.startAttempts
        // A film is read for six times as long, and then has its still picture made.
        #expect(worker.forClips.jobDeadline == .seconds(6 * deadline))
        #expect(settings.longestAttempt > (.seconds(7 * deadline) + oneStart * 2) * 2)
    }

    @Test("the worker for sound and film lies beside the other and is as strict")
    func clipWorker() {
        let worker = Self.settings { $0.isolation = .perImage }.worker(at: "/usr/lib/mediaprep/mediaprep-worker")
        #expect(worker.forClips.executable == "/usr/lib/mediaprep/mediaprep-clip-worker")
        #expect(worker.forClips.jobsPerWorker == 1 && !worker.forClips.allowsWeakSandbox)
        #expect(worker.forClips.resultBytes == 64 << 20)
    }
}
