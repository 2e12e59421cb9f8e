public import AttachmentRules
public import Kernel
public import WorkerPool

/// What files are judged by, and what is told of them besides.
public struct JudgeSettings: Sendable {
    /// Files, and directories to be searched.
    public var sources: [FilePath] = []
    public var profile: Profile
    /// A picture that is larger than mediaprep would make it is an error.
    public var isStrict = false
    /// The type hint that goes with each file.
    public var typeHint: String?
    /// Where the file is to be served.
    public var url: String?
    /// What a server answered for the file.
    public var response: ResponseHead?
    /// What goes with the file to the phone.
    public var options: AttachmentOptions?
    /// Files that are decoded at once, each by a worker process.
    public var jobs: Int
    public var limits = Limits()
    public var worker: WorkerConfiguration

    public init(profile: Profile, jobs: Int, worker: WorkerConfiguration) {
        self.profile = profile
        self.jobs = jobs
        self.worker = worker
    }
}
