public import AttachmentRules
internal import JobProtocol
public import Kernel
public import WorkerPool

/// What one batch is asked to do.
public struct BatchSettings: Sendable {
    /// Files and directories, as given.
    public var sources: [FilePath] = []
    /// Files and directories that keep their listed path below the output.
    public var listed: [FilePath] = []
    /// Where results go; may be missing only in a dry run.
    public var output: FilePath?
    /// Pictures that are worked on at once, each by a worker process.
    public var jobs: Int
    /// The receiver that results are made for.
    public var profile = Profile.ios
    /// Every receiver that a push may name.
    public var profiles = Profile.builtIn
    public var limits = Limits()
    /// Every source is a directory that is one push.
    public var makesGroups = false
    /// Probe and plan only; write nothing.
    public var isDryRun = false
    /// Make every result again, also an unchanged one.
    public var isForced = false
    /// Prove for every result that the next higher quality does not fit.
    public var checksQuality = false
    public var worker: WorkerConfiguration

    public init(jobs: Int, worker: WorkerConfiguration) {
        self.jobs = jobs
        self.worker = worker
    }

    /// What is asked of every picture.
    public var recipe: Recipe {
        get { profile.recipe }
        set { profile.recipe = newValue }
    }

    var kind: JobRequest.Kind {
        isDryRun ? .plan : checksQuality ? .renderAndProve : .render
    }
}
