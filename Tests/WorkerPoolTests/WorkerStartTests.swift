import Glibc
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

    @Test func aProgramThatDiesAtItsStartIsTriedThreeTimes() throws {
        let installation = try Installation("dies-before-ready")
        let lane = WorkerLane(installation.configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.start() }
        #expect(failure == .cannotStart(executable: installation.executable, .ended(.exited(42))))
        #expect(failure?.description.contains("exited with status 42") == true)
        #expect(try installation.marks == 3)
    }

    @Test func aProgramThatSaysNothingIsKilled() throws {
        let installation = try Installation("never-ready")
        var configuration = installation.configuration
        configuration.startDeadline = .milliseconds(20)
        let lane = WorkerLane(configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.start() }
        #expect(failure == .cannotStart(executable: installation.executable, .silent(.milliseconds(20))))
    }

    @Test(arguments: ["greets-wrongly", "greets-with-noise"] as [FilePath])
    func aProgramOfAnotherVersionIsNotUsed(_ manner: FilePath) throws {
        let installation = try Installation(manner)
        let lane = WorkerLane(installation.configuration)
        let failure = #expect(throws: WorkerPoolError.self) { try lane.start() }
        #expect(failure == .cannotStart(executable: installation.executable, .badGreeting))
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
                "SWIFT_BACKTRACE", "VIPS_CONCURRENCY", "MALLOC_ARENA_MAX", "LANG", "PATH",
            ])
    }
}
