import AttachmentRules
import Glibc
import JobProtocol
import Kernel
import MediaProbe
import Synchronization
import Testing
import WorkerPool

@Suite struct WorkerLaneTests {
    @Test func oneWorkerServesOneJobAfterTheOther() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(lane.workerPID == nil)
        try lane.start()
        let pid = lane.workerPID
        for id in 1...5 as ClosedRange<UInt64> {
            #expect(try lane.text(of: request("answer", id: id)) == .success("picture \(id)"))
        }
        #expect(pid != nil && lane.workerPID == pid)
        lane.close()
        #expect(lane.workerPID == nil)
        #expect(!exists(try #require(pid)))
    }

    struct Misbehaviour: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: WorkerFault
        var code: Rejection.Code
        var deadline = Duration.seconds(60)

        init(_ behaviour: String, _ fault: WorkerFault, _ code: Rejection.Code) {
            testDescription = behaviour
            self.fault = fault
            self.code = code
            if case .timedOut(let time) = fault { deadline = time }
        }
    }

    @Test(arguments: [
        Misbehaviour("segv", .crashed(.signalled(SIGSEGV)), .decoderCrashed),
        Misbehaviour("abrt", .crashed(.signalled(SIGABRT)), .decoderCrashed),
        Misbehaviour("kill", .crashed(.signalled(SIGKILL)), .decoderCrashed),
        Misbehaviour("exit", .crashed(.exited(7)), .decoderCrashed),
        Misbehaviour("segv-with-child", .crashed(.signalled(SIGSEGV)), .decoderCrashed),
        Misbehaviour("sleep", .timedOut(.milliseconds(50)), .decoderTimeout),
        Misbehaviour("stop", .timedOut(.milliseconds(50)), .decoderTimeout),
        Misbehaviour("close-socket", .timedOut(.milliseconds(50)), .decoderTimeout),
        Misbehaviour("garbage", .badReply("it is not a reply"), .badReply),
        Misbehaviour("other-id", .badReply("it belongs to job 2, not to 1"), .badReply),
        Misbehaviour("other-kind", .badReply("it answers another question"), .badReply),
        Misbehaviour("huge", .badReply("it is longer than 65536 bytes"), .badReply),
        Misbehaviour("with-descriptor", .badReply("it is longer than 65536 bytes"), .badReply),
        Misbehaviour("blank-in-reply", .badReply("it is not a reply"), .badReply),
        Misbehaviour("member-twice", .badReply("it is not a reply"), .badReply),
        Misbehaviour("other-size", .badReply("it announces 2x1 where 1x1 was planned"), .badReply),
        Misbehaviour("no-such-orientation", .badReply("there is no orientation 9"), .badReply),
        Misbehaviour("long-name", .badReply("its colour profile's name is too long"), .badReply),
        Misbehaviour("too-large", .badReply("it announces 100001 bytes where 100000 are allowed"), .badReply),
        Misbehaviour("foreign-refusal", .badReply("unreadable in intake is not for a decoder to say"), .badReply),
    ])
    func aFaultCostsOneJobAndItsWorker(_ misbehaviour: Misbehaviour) throws {
        let installation = try Installation("good")
        var configuration = installation.configuration
        configuration.jobDeadline = misbehaviour.deadline
        let lane = WorkerLane(configuration)
        try lane.start()
        let pid = try #require(lane.workerPID)
        #expect(try lane.text(of: request(misbehaviour.testDescription)) == .failure(misbehaviour.fault))
        #expect(misbehaviour.fault.rejection.code == misbehaviour.code)
        #expect(misbehaviour.fault.rejection.stage == .worker)
        #expect(lane.counts.lies == (misbehaviour.code == .badReply ? 1 : 0))
        #expect(lane.counts.timeouts == (misbehaviour.code == .decoderTimeout ? 1 : 0))
        // A crash is tried once more, and nothing else is.
        #expect(lane.counts.crashes == (misbehaviour.code == .decoderCrashed ? 2 : 0))
        #expect(!exists(pid))

        // The next job is not to suffer from this one, not even from its short deadline.
        let successor = WorkerLane(installation.configuration)
        #expect(try successor.text(of: request("answer", id: 2)) == .success("picture 2"))
    }

    @Test(arguments: ["segv", "garbage", "other-id"])
    func theSameLaneGoesOnWithAnotherWorker(_ behaviour: String) throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        try lane.start()
        let pid = lane.workerPID
        guard case .failure = try lane.text(of: request(behaviour)) else {
            Issue.record("\(behaviour) is a fault")
            return
        }
        #expect(lane.workerPID == nil)
        #expect(try lane.text(of: request("answer", id: 2)) == .success("picture 2"))
        #expect(lane.workerPID != nil && lane.workerPID != pid)
    }

    @Test func aCrashIsTriedOnceMore() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        try lane.start()
        let pid = lane.workerPID
        #expect(try lane.text(of: request("segv-once")) == .success("picture 1"))
        #expect(lane.counts.crashes == 1)
        #expect(lane.workerPID != nil && lane.workerPID != pid)
    }

    @Test func aWorkerServesItsNumberOfJobs() throws {
        let installation = try Installation("good")
        var configuration = installation.configuration
        configuration.jobsPerWorker = 3
        let lane = WorkerLane(configuration)
        var pids: [Int32?] = []
        for id in 1...7 as ClosedRange<UInt64> {
            try lane.start()
            pids.append(lane.workerPID)
            #expect(try lane.text(of: request("answer", id: id)) == .success("picture \(id)"))
        }
        #expect(pids.count == 7 && !pids.contains(nil))
        #expect(pids[0] == pids[2] && pids[3] == pids[5])
        #expect(Set(pids).count == 3)
    }

    @Test func everyJobMayHaveItsOwnWorker() throws {
        let installation = try Installation("good")
        var configuration = installation.configuration
        configuration.jobsPerWorker = 1
        let lane = WorkerLane(configuration)
        for id in 1...5 as ClosedRange<UInt64> {
            #expect(try lane.text(of: request("answer", id: id)) == .success("picture \(id)"))
            #expect(lane.workerPID == nil)
        }
        // Each was forked while the one before it worked, and so was one more.
        #expect(lane.counts.started == 6)
        #expect(lane.counts.crashes == 0)
    }

    @Test func aWorkerThatWasCaughtAtALieIsKilled() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(try lane.text(of: request("answer")) == .success("picture 1"))
        let pid = try #require(lane.workerPID)
        lane.distrust()
        #expect(!exists(pid))
        #expect(lane.counts.lies == 1)
        #expect(try lane.text(of: request("answer", id: 2)) == .success("picture 2"))
    }

    @Test func aWorkerOutlivesNeitherItsTemplateNorItsGroup() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        try lane.start()
        let pid = try #require(lane.workerPID)
        #expect(getpgid(pid) == pid)
        lane.close()
        #expect(!exists(pid))
    }

    @Test func aDeathAfterTheAnswerCostsTheNextJobNothing() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        for id in 1...4 as ClosedRange<UInt64> {
            let answer = try lane.text(of: request("answer-and-die", id: id))
            #expect(answer == .success("picture \(id)"))
        }
    }

    @Test func aWorkerThatTalksBetweenTwoJobsIsReplaced() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(try lane.text(of: request("answer-and-talk", id: 1)) == .success("picture 1"))
        let pid = lane.workerPID
        while try installation.marks == 0 { sched_yield() }
        #expect(try lane.text(of: request("answer", id: 2)) == .success("picture 2"))
        #expect(lane.workerPID != pid)
        #expect(lane.counts.lies == 1)
    }

    @Test func aLieOfAWorkerThatHasServedIsTriedOnceMore() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(try lane.text(of: request("answer", id: 1)) == .success("picture 1"))
        // The same lie from a fresh worker is no other picture's fault.
        let lie = try lane.text(of: request("garbage", id: 2))
        #expect(lie == .failure(.badReply("it is not a reply")))
        #expect(lane.counts.lies == 2)
        #expect(try lane.text(of: request("answer", id: 3)) == .success("picture 3"))
    }

    @Test func theLargestWorkerIsKnown() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(try lane.text(of: request("answer")) == .success("picture 1"))
        #expect(lane.counts.peakBytes == 0)
        lane.close()
        #expect(lane.counts.peakBytes > 1 << 20)
    }

    @Test(arguments: [SIGKILL, SIGSEGV, SIGTERM])
    func aWorkerThatDiesBetweenTwoJobsIsReplaced(by signal: Int32) throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(try lane.text(of: request("answer", id: 1)) == .success("picture 1"))
        let pid = try #require(lane.workerPID)
        kill(pid, signal)
        // A worker that is only about to die may still take the next job with it.
        waitForDeath(of: pid)
        #expect(try lane.text(of: request("answer", id: 2)) == .success("picture 2"))
        #expect(lane.workerPID != pid)
        #expect(!exists(pid))
    }

    @Test func aResultThatIsStillWritableCannotBeTaken() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(throws: Errno.resourceBusy) { try lane.text(of: request("answer-and-keep-mapping")) }
        lane.distrust()
        #expect(try lane.text(of: request("answer")) == .success("picture 1"))
    }

    @Test func aRequestThatIsTooLongIsTheFilesFault() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        try lane.start()
        let pid = lane.workerPID
        let long = String(repeating: "x", count: JobCoding.maximumRequestBytes)
        guard case .failure(.requestTooLong(let bytes)) = try lane.text(of: request(long)) else {
            Issue.record("nothing so long fits into one message")
            return
        }
        #expect(bytes > JobCoding.maximumRequestBytes)
        #expect(lane.workerPID == pid)
    }

    @Test func aLongRequestStillFits() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        var long = request("answer")
        long.facts.hiddenBytes = (0..<5000).map { 10_000_000 + $0..<10_000_001 + $0 }
        #expect(try lane.text(of: long) == .success("picture 1"))
    }

    @Test func aStopGivesUpTheJobInWork() throws {
        let installation = try Installation("good")
        let stop = try StopFlag()
        let lane = WorkerLane(installation.configuration, stop: stop)
        try lane.start()
        let pid = try #require(lane.workerPID)
        stop.set()
        #expect(throws: WorkerPoolError.stopped) { try lane.text(of: request("sleep")) }
        #expect(!exists(pid))
    }

    @Test func lanesDoNotDisturbEachOther() throws {
        let installation = try Installation("good")
        let configuration = installation.configuration
        let results = Mutex<[String: [Result<String, WorkerFault>]]>([:])
        let work = { @Sendable (behaviour: String) in
            let lane = WorkerLane(configuration)
            for id in 1...8 as ClosedRange<UInt64> {
                guard let result = try? lane.text(of: request(behaviour, id: id)) else { return }
                results.withLock { $0[behaviour, default: []].append(result) }
            }
        }
        let good = try SystemThread.start { work("answer") }
        let bad = try SystemThread.start { work("segv") }
        good.join()
        bad.join()
        let all = results.withLock { $0 }
        #expect(all["answer"] == (1...8).map { .success("picture \($0)") })
        #expect(all["segv"] == (1...8).map { _ in .failure(.crashed(.signalled(SIGSEGV))) })
    }

    @Test func neitherDescriptorsNorProcessesStay() async {
        await #expect(processExitsWith: .success) {
            func openDescriptors() throws -> Int {
                try DirectoryListing(of: FileDescriptor.open("/proc/self/fd", flags: .directory)).entries.count
            }
            let installation = try Installation("good")
            var configuration = installation.configuration
            configuration.jobDeadline = .milliseconds(50)
            let before = try openDescriptors()
            for _ in 0..<10 {
                let lane = WorkerLane(configuration)
                for behaviour in ["answer", "segv", "segv-with-child", "stop", "huge", "with-descriptor"] {
                    _ = try lane.text(of: request(behaviour))
                }
                _ = try lane.text(of: request("answer"))
            }
            // Dispatch may have opened a few of its own meanwhile, but not one a round.
            #expect(try openDescriptors() - before < 10)
            let child = waitpid(-1, nil, WNOHANG)
            #expect(child == -1)
        }
    }
}
