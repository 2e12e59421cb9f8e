public import Kernel

/// How workers are started, and how long anything about them may take.
public struct WorkerConfiguration: Equatable, Sendable {
    /// Path of `mediaprep-worker`.
    public var executable: FilePath
    /// Longest time for one job.
    public var jobDeadline = Duration.seconds(10)
    /// Longest time from the start of a worker to its greeting.
    public var startDeadline = Duration.seconds(10)
    /// Address space of a worker for pictures, in bytes, on top of what it has mapped when it is ready.
    ///
    /// Measured: 512 MiB decodes everything that the probe lets through, the file itself included.
    public var addressSpaceBytes = 512 << 20
    /// Most bytes of one result.
    public var resultBytes = 1 << 20
    /// Jobs of one worker before it is replaced; 1 for a fresh process for every picture.
    public var jobsPerWorker = 64
    /// Whether workers serve without a layer of the sandbox that the system does not give.
    public var allowsWeakSandbox = false
    /// Most attempts to start one worker before the pool gives up.
    public var startAttempts = 3
    /// Pause after the first failed attempt; it doubles with each further one.
    public var startPause = Duration.milliseconds(100)

    public init(executable: FilePath) {
        self.executable = executable
    }

    /// The worker's command line after its name.
    func arguments(supervisor: Int32) -> [String] {
        ["\(addressSpaceBytes)", "\(resultBytes)", "\(supervisor)", allowsWeakSandbox ? "weak" : "strict"]
    }

    /// The whole environment of a worker: nothing of the supervisor's own reaches a decoder.
    static let environment = [
        // A crash report can take minutes, during which the process neither works nor ends.
        "SWIFT_BACKTRACE=enable=no",
        // Parallel are the workers, not the threads in one.
        "VIPS_CONCURRENCY=1",
        // Measured: the same speed with 190 MB instead of 317 MB.
        "MALLOC_ARENA_MAX=1",
        "LANG=C.UTF-8",
        // A time zone that no file has to be read for.
        "TZ=UTC0",
        "PATH=/usr/bin:/bin",
    ]
}
