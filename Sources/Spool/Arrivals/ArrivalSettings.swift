/// How arrivals in the inbox are noticed.
public struct ArrivalSettings: Equatable, Sendable {
    /// How long a file that was not renamed in has to stay as it is before it is taken.
    public var settle: Duration
    /// Time from one full look at the inbox to the next while events work.
    public var rescan: Duration
    /// Time from one full look at the inbox to the next while events do not work.
    public var poll: Duration
    /// Whether events are used where they work.
    public var watchesEvents: Bool
    /// Names of files that are being written, as shell patterns: fnmatch(3).
    public var ignored: [String]

    public init(
        settle: Duration = .milliseconds(250), rescan: Duration = .seconds(30), poll: Duration = .seconds(2),
        watchesEvents: Bool = true, ignored: [String] = []
    ) {
        self.settle = settle
        self.rescan = rescan
        self.poll = poll
        self.watchesEvents = watchesEvents
        self.ignored = ignored
    }
}
