/// How a service is doing, from its directories and from what it says of itself.
public struct ServiceStatus: Encodable, Equatable, Sendable {
    public static let schema = "mediaprep.status/1"

    public private(set) var schema = ServiceStatus.schema
    /// The process that holds the root's lock; nil when the service does not run.
    public var pid: Int32?
    public var isRunning: Bool { pid != nil }
    public var inbox = Inbox()
    public var work = Work()
    /// Refused originals that are kept, of whatever day.
    public var rejected = Kept()
    /// Outcomes that the notify command has not been run for.
    public var notifyPending = 0
    /// What the service says of itself, if it said so in this run or an earlier one.
    public var state: ServiceState?
    /// What was counted today; none where the service counted nothing yet.
    public var today = ServiceState.Outcomes()
    /// What keeps the service, or this look at it, from its work, a sentence each.
    public var faults: [String] = []

    public struct Inbox: Encodable, Equatable, Sendable {
        public var waiting = 0
        /// Files whose names say that they are still being written.
        public var ignored = 0
        /// Of what waits, since its last change.
        public var oldestSeconds: Int?

        private enum CodingKeys: String, CodingKey {
            case waiting, ignored
            case oldestSeconds = "oldest_s"
        }
    }

    public struct Work: Encodable, Equatable, Sendable {
        /// Files that were claimed.
        public var count = 0
        /// The oldest of them, a hundred at most.
        public var claims: [Claim] = []
    }

    public struct Claim: Encodable, Equatable, Sendable {
        public var id: String
        /// Times that it was begun; nil when the service crashed over it.
        public var attempts: Int?
        /// The file's name, as a manifest has it; nil while it is being moved.
        public var name: String?
    }

    public struct Kept: Encodable, Equatable, Sendable {
        public var count = 0
        /// Since the oldest was refused.
        public var oldestSeconds: Int?

        private enum CodingKeys: String, CodingKey {
            case count
            case oldestSeconds = "oldest_s"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case schema, running, pid, inbox, work, rejected
        case notifyPending = "notify_pending"
        case today, faults, state
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(schema, forKey: .schema)
        try members.encode(isRunning, forKey: .running)
        try members.encodeIfPresent(pid, forKey: .pid)
        try members.encode(inbox, forKey: .inbox)
        try members.encode(work, forKey: .work)
        try members.encode(rejected, forKey: .rejected)
        try members.encode(notifyPending, forKey: .notifyPending)
        try members.encode(today, forKey: .today)
        try members.encode(faults, forKey: .faults)
        try members.encodeIfPresent(state, forKey: .state)
    }
}
