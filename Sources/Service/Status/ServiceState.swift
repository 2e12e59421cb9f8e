internal import FoundationEssentials
public import Kernel

/// What the service says of itself in `state.json`, for `mediaprep status`.
public struct ServiceState: Codable, Equatable, Sendable {
    public static let schema = "mediaprep.state/1"
    /// The file's name in the root.
    public static let name: FilePath = "state.json"

    public private(set) var schema = ServiceState.schema
    public var pid: Int32
    public var version: String
    /// RFC 3339, UTC.
    public var startedAt: String
    /// RFC 3339, UTC.
    public var updatedAt: String
    /// The day that `today` counts: `2026-12-01`, in UTC.
    public private(set) var day: String
    public private(set) var today = Outcomes()
    /// Since the start of the service.
    public private(set) var total = Outcomes()
    /// What keeps the service from its work now, a sentence each.
    public var faults: [String] = []
    /// The layers that the decoders' sandbox lacks here.
    public var missingLayers: [String] = []
    public var watch = Watch.events
    public var workers = Workers()
    public var notify = Notify()

    public init(pid: Int32, version: String = mediaprepVersion, startedAt: UTCTime) {
        self.pid = pid
        self.version = version
        self.startedAt = startedAt.text
        updatedAt = startedAt.text
        day = startedAt.day
    }

    /// How outcomes came out.
    public struct Outcomes: Codable, Equatable, Sendable {
        public var published = 0
        /// Of those, the ones that an earlier result was found for.
        public var reused = 0
        /// By code of the rejection.
        public var rejected: [String: Int] = [:]

        public init() {}
    }

    public enum Outcome: Sendable {
        case published
        case reused
        case rejected(code: String)
    }

    public enum Watch: String, Codable, Sendable {
        case events, polling
    }

    /// What went wrong with decoders since the start.
    public struct Workers: Codable, Equatable, Sendable {
        public var crashes = 0
        public var timeouts = 0
        /// Answers that were not to be believed.
        public var lies = 0

        public init() {}
    }

    /// Runs of the notify command.
    public struct Notify: Codable, Equatable, Sendable {
        public var pending = 0
        /// Given up since the start.
        public var failed = 0

        public init() {}
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
    public mutating func add(_ outcome: Outcome, at time: UTCTime) {
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
        case .published: published += 1
        case .reused:
            published += 1
            reused += 1
        case .rejected(let code): rejected[code, default: 0] += 1
        }
    }
}

// MARK: - The file

extension ServiceState {
    private static let temporaryName: FilePath = ".state.json.new"
    /// Far more than a state with all faults at once.
    private static let mostBytes = 1 << 20

    /// Replaces the file in `root` as a whole; after a power cut it may be an old one, or damaged.
    public func write(in root: borrowing FileDescriptor) throws(Errno) {
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
    public static func read(in root: borrowing FileDescriptor) -> ServiceState? {
        guard let file = try? FileDescriptor.openBeneath(name, relativeTo: root),
            (try? file.status().kind) == .regular,
            let bytes = try? file.readAll(maximumBytes: mostBytes),
            let state = try? JSONDecoder().decode(ServiceState.self, from: Data(bytes)), state.schema == schema
        else { return nil }
        return state
    }
}
