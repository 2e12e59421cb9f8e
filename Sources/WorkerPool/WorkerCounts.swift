/// What became of a lane's workers, for operators.
public struct WorkerCounts: Equatable, Sendable {
    /// Workers that were forked.
    public var started = 0
    /// Jobs that a worker crashed over, also those that then went well.
    public var crashes = 0
    /// Jobs that were not finished in time.
    public var timeouts = 0
    /// Answers that were not to be believed.
    public var lies = 0
    /// Most memory that one of them had resident, in bytes, of those that have ended.
    public var peakBytes = 0

    public init() {}

    public static func += (sum: inout WorkerCounts, other: WorkerCounts) {
        sum.started += other.started
        sum.crashes += other.crashes
        sum.timeouts += other.timeouts
        sum.lies += other.lies
        sum.peakBytes = max(sum.peakBytes, other.peakBytes)
    }
}
