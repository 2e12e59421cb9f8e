internal import FoundationEssentials
internal import Kernel

/// What the service says of itself in `state.json`, for `mediaprep status`.
struct ServiceState: Codable, Equatable, Sendable {
    /// The form that is written, and the only one that is read.
    static let schema = "mediaprep.state/1"
    /// The file's name in the root.
    static let name: FilePath = "state.json"

    private(set) var schema = ServiceState.schema
    var pid: Int32
    var version: String
    /// RFC 3339, UTC.
    var startedAt: String
    /// RFC 3339, UTC.
    var updatedAt: String
    /// The day that `today` counts: `2026-12-01`, in UTC.
    private(set) var day: String
    private(set) var today = Outcomes()
    /// Since the start of the service.
    private(set) var total = Outcomes()
    /// What keeps the service from its work now, a sentence each.
    var faults: [String] = []
    /// The layers that the decoders' sandbox lacks here.
    var missingLayers: [String] = []
    var watch = Watch.events
    var workers = Workers()
    var notify = Notify()

    init(pid: Int32, version: String = mediaprepVersion, startedAt: UTCTime) {
        self.pid = pid
        self.version = version
        self.startedAt = startedAt.text
        updatedAt = startedAt.text
        day = startedAt.day
    }

    /// How outcomes came out.
    struct Outcomes: Codable, Equatable, Sendable {
        var published = 0
        /// Of those, the ones that an earlier result was found for.
        var reused = 0
        /// By code of the rejection.
        var rejected: [String: Int] = [:]
    }

    /// How one file came out.
    enum Outcome: Sendable {
        case published
        case reused
        case rejected(code: String)
    }

    /// How news of the inbox are got.
    enum Watch: String, Codable, Sendable {
        case events, polling
    }

    /// What went wrong with decoders since the start.
    struct Workers: Codable, Equatable, Sendable {
        var crashes = 0
        var timeouts = 0
        /// Answers that were not to be believed.
        var lies = 0
    }

    /// Runs of the notify command.
    struct Notify: Codable, Equatable, Sendable {
        var pending = 0
        /// Given up since the start.
        var failed = 0
    }

    private enum CodingKeys: String, CodingKey {
        case schema, pid, version
        case startedAt = "started_at"
        case updatedAt = "updated_at"
        case day, today, total, faults
        case missingLayers = "missing_layers"
        case watch, workers, notify
    }

    /// Goes on with what the service before counted today.
    mutating func continueDay(of earlier: ServiceState, at time: UTCTime) {
        if earlier.day == time.day { today = earlier.today }
    }

    /// Counts an outcome, which is the first of its day where the day is another than before.
    mutating func add(_ outcome: Outcome, at time: UTCTime) {
        if day != time.day {
            day = time.day
            today = Outcomes()
        }
        today.add(outcome)
        total.add(outcome)
    }
}

extension ServiceState.Outcomes {
    fileprivate mutating func add(_ outcome: ServiceState.Outcome) {
        switch outcome {
        case .published: published.countOn()
        case .reused:
            published.countOn()
            reused.countOn()
        case .rejected(let code): rejected[code, default: 0].countOn()
        }
    }
}

extension Int {
    /// One more, up to the highest there is: what an earlier file says may be any number.
    fileprivate mutating func countOn() {
        if self < .max { self += 1 }
    }
}

// MARK: - The file

extension ServiceState {
    private static let temporaryName: FilePath = ".state.json.new"
    /// Far more than a state with all faults at once.
    private static let mostBytes = 1 << 20

    /// Replaces the file in `root` as a whole; after a power cut it may be an old one, or damaged.
    func write(in root: borrowing FileDescriptor) throws(Errno) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(self) else {
            preconditionFailure("a state holds only text and whole numbers")
        }
        try PublishedFile.write(
            (Array(json) + Array("\n".utf8)).span, named: Self.name, in: root, temporaryName: Self.temporaryName,
            sync: false)
    }

    /// Reads the file in `root`; nil when there is none, or when it is no whole file of ours.
    static func read(in root: borrowing FileDescriptor) -> ServiceState? {
        guard let file = try? FileDescriptor.openBeneath(name, relativeTo: root),
            (try? file.status().kind) == .regular,
            let bytes = try? file.readAll(maximumBytes: mostBytes),
            let state = try? JSONDecoder().decode(ServiceState.self, from: Data(bytes)), state.schema == schema
        else { return nil }
        return state
    }
}
