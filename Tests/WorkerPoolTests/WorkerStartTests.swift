import Glibc
import JobProtocol
import Kernel
import Testing
import WorkerPool

@Suite struct WorkerStartTests {
    @Test(
        arguments: [
            ("/nowhere/mediaprep-worker", .noSuchFileOrDirectory),
            ("/etc/passwd", .permissionDenied),
            ("/tmp", .permissionDenied),
        ] as [(FilePath, Errno)])
    func aProgramThatCannotRunIsToldAtOnce(_ executable: FilePath, error: Errno) throws {
        let lane = WorkerLane(WorkerConfiguration(executable: executable))
        let failure = #expect(throws: WorkerPoolError.self) { try lane.text(of: request("answer")) }
        #expect(failure == .cannotStart(executable: executable, .notSpawned(error)))
        #expect(
            failure?.description == "no worker can be started from \(executable.display): \(error.description)")
    }

    @Test(
        arguments: [
            ("dies-before-ready", 42), ("worker-dies-before-ready", 42), ("dies-at-the-fork", 43),
        ] as [(FilePath, Int32)])
    func aProgramThatDiesAtItsStartIsTriedThreeTimes(_ manner: FilePath, status: Int32) throws {
        let installation = try Installation(manner)
        let lane = WorkerLane(installation.configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.start() }
        #expect(failure == .cannotStart(executable: installation.executable, .ended(.exited(status))))
        #expect(failure?.description.contains("exited with status \(status)") == true)
        #expect(try installation.marks == 3)
    }

    @Test(arguments: ["never-ready", "never-forks", "worker-never-ready"] as [FilePath])
    func aProgramThatSaysNothingIsKilled(_ manner: FilePath) throws {
        let installation = try Installation(manner)
        var configuration = installation.configuration
        configuration.startDeadline = .milliseconds(20)
        configuration.startAttempts = 1
        let lane = WorkerLane(configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.start() }
        #expect(failure == .cannotStart(executable: installation.executable, .silent(.milliseconds(20))))
    }

    @Test(arguments: ["greets-wrongly", "greets-with-noise", "worker-greets-wrongly"] as [FilePath])
    func aProgramOfAnotherVersionIsNotUsed(_ manner: FilePath) throws {
        let installation = try Installation(manner)
        let lane = WorkerLane(installation.configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.start() }
        #expect(failure == .cannotStart(executable: installation.executable, .badGreeting))
    }

    @Test func aWorkerInAWeakSandboxIsNotUsedUnlessThatIsAllowed() throws {
        let installation = try Installation("worker-is-weak")
        let missing = MissingLayer(.landlock, reason: "Landlock: Function not implemented")
        let lane = WorkerLane(installation.configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.text(of: request("answer")) }
        #expect(failure == .cannotStart(executable: installation.executable, .notConfined([missing])))
        #expect(failure?.description.contains("landlock is missing (Landlock: Function not implemented)") == true)

        var configuration = installation.configuration
        configuration.allowsWeakSandbox = true
        let weak = WorkerLane(configuration)
        #expect(try weak.text(of: request("answer")) == .success("picture 1"))
        #expect(weak.missingLayers == [missing])
    }

    @Test func aServerThatDoesNotAnswerIsEnded() throws {
        let installation = try Installation("good")
        let server = try ForkServer(executable: installation.executable, arguments: [], environment: [])
        _ = try server.socket.receive(maximumBytes: 1000, maximumDescriptors: 0)
        let pair = try MessageSocket.pair()
        kill(server.pid, SIGSTOP)
        #expect(throws: Errno.timedOut) {
            _ = try server.fork(passing: pair.far, until: .now.advanced(by: .milliseconds(20)))
        }
        // What it was asked first must not be answered when it is asked again.
        #expect(throws: Errno.self) { _ = try server.fork(passing: pair.far, until: .now.advanced(by: .seconds(60))) }
        #expect(server.end() == .signalled(SIGKILL))
    }

    @Test func workersThatDoNotStayAreGivenUp() throws {
        let installation = try Installation("leaves-after-ready")
        let lane = WorkerLane(installation.configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.text(of: request("answer")) }
        #expect(failure == .workersDoNotStay(executable: installation.executable))
    }

    @Test func aStopEndsTheAttempts() throws {
        let installation = try Installation("dies-before-ready")
        let stop = try StopFlag()
        stop.set()
        let lane = WorkerLane(installation.configuration, stop: stop)
        #expect(throws: WorkerPoolError.stopped) { try lane.start() }
    }

    @Test func theEnvironmentIsOurOwn() throws {
        let installation = try Installation("good")
        let lane = WorkerLane(installation.configuration)
        try lane.start()
        let path = FilePath("/proc/\(try #require(lane.workerPID))/environ")
        let bytes = try FileDescriptor.open(path, flags: .readOnly).readAll(maximumBytes: 1 << 16)
        let names = bytes.split(separator: 0).compactMap { $0.split(separator: UInt8(ascii: "=")).first }
        #expect(
            names.map { String(decoding: $0, as: UTF8.self) } == [
                "SWIFT_BACKTRACE", "VIPS_CONCURRENCY", "MALLOC_ARENA_MAX", "LANG", "TZ", "PATH",
            ])
    }
}
