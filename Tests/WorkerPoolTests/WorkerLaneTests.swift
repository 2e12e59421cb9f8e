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
        #expect(!isOurChild(try #require(pid)))
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
        #expect(!isOurChild(pid))

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
    }

    @Test(arguments: [SIGKILL, SIGSEGV, SIGTERM])
    func aWorkerThatDiesBetweenTwoJobsIsReplaced(by signal: Int32) throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(try lane.text(of: request("answer", id: 1)) == .success("picture 1"))
        let pid = try #require(lane.workerPID)
        kill(pid, signal)
        // A worker that is only about to die may still take the next job with it.
        var end = siginfo_t()
        #expect(waitid(P_PID, id_t(pid), &end, WEXITED | WNOWAIT) == 0)
        #expect(try lane.text(of: request("answer", id: 2)) == .success("picture 2"))
        #expect(lane.workerPID != pid)
        #expect(!isOurChild(pid))
    }

    @Test func aResultThatIsStillWritableCannotBeTaken() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        #expect(throws: Errno.resourceBusy) { try lane.text(of: request("answer-and-keep-mapping")) }
        // The worker that holds it is gone with its lane, and so is the mapping.
        lane.close()
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
        #expect(!isOurChild(pid))
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
