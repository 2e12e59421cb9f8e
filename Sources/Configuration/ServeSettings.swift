public import AttachmentRules
public import Kernel

/// What `mediaprep serve` is asked to do: defaults, then the key file, then options.
public struct ServeSettings: Equatable, Sendable {
    /// Holds the spool's directories.
    public var root: FilePath = "/var/lib/mediaprep"
    /// Where producers put files; nil for `inbox` in the root.
    public var inbox: FilePath?
    /// Where results are published; nil for `outbox` in the root.
    public var outbox: FilePath?
    /// What a result's path below the outbox is appended to for the manifest's `output.url`, without a slash at
    /// its end; nil for no URL.
    public var baseURL: String?
    /// Pictures that are worked on at once, each by a worker process; nil for one a processor.
    public var jobs: Int?
    /// The profile in use: what is asked of every picture, and what the receiver takes.
    public var profile = Profile.ios
    /// Categories that the app has content extensions for; empty where any may be.
    public var categories: [String] = []
    /// What becomes of an original whose result is published.
    public var originals = Originals.keep
    /// How long a file that was not renamed in has to stay as it is before it is taken, in milliseconds.
    public var settleMilliseconds = 250
    /// Time from one full look at the inbox to the next while events work, in seconds.
    public var rescanSeconds = 30
    /// Time from one full look at the inbox to the next while events do not work, in seconds.
    public var pollSeconds = 2
    /// How news of the inbox are got.
    public var watch = Watch.automatic
    /// Names of files that are being written, as shell patterns.
    public var ignoredNames = [".*", "*.part", "*.filepart", "*.partial", "*.tmp", "*~", "*.crdownload"]
    /// A program that is run for each outcome with the manifest on its standard input; empty for none.
    public var notifyCommand: [String] = []
    /// Longest time for one run of it, in seconds.
    public var notifyTimeoutSeconds = 30
    /// Runs of it at once.
    public var notifyJobs = 2
    /// Runs of it for one outcome before that is given up.
    public var notifyAttempts = 10
    /// Longest time for one picture, in seconds.
    public var deadlineSeconds = 10
    /// Whether every picture has a fresh worker process.
    public var isolation = Isolation.pooled
    /// Decode where the kernel lacks part of the sandbox.
    public var allowsWeakSandbox = false
    /// Wait until outcomes are on the disk before they are told.
    public var syncs = true
    /// How the log is written.
    public var logFormat = LogFormat.text

    /// The defaults.
    public init() {}

    /// What becomes of originals.
    public enum Originals: String, CaseIterable, Sendable {
        /// Moved to `done`.
        case keep
        case delete
    }

    /// How news are got.
    public enum Watch: String, CaseIterable, Sendable {
        /// By events where they work, else by looking again and again.
        case automatic
        case poll
    }

    /// How many pictures a worker process is for.
    public enum Isolation: String, CaseIterable, Sendable {
        /// Several, one after the other.
        case pooled
        /// One.
        case perImage = "per-image"
    }

    /// How a line of the log is written.
    public enum LogFormat: String, CaseIterable, Sendable {
        case text, json
    }
}
