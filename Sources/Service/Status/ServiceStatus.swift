internal import FoundationEssentials

/// How a service is doing, from its directories and from what it says of itself.
public struct ServiceStatus: Encodable, Equatable, Sendable {
    /// The form of the JSON.
    static let schema = "mediaprep.status/1"

    private(set) var schema = ServiceStatus.schema
    /// The process that holds the root's lock; nil when the service does not run.
    var pid: Int32?
    /// Whether a process holds the root's lock.
    public var isRunning: Bool { pid != nil }
    var inbox = Inbox()
    var work = Work()
    /// Refused originals that are kept, of whatever day.
    var rejected = Kept()
    /// Outcomes that the notify command has not been run for.
    var notifyPending = 0
    /// What the service says of itself, if it said so in this run or an earlier one.
    var state: ServiceState?
    /// What was counted today; none where the service counted nothing yet.
    var today = ServiceState.Outcomes()
    /// What keeps the service, or this look at it, from its work, a sentence each.
    public var faults: [String] = []

    /// What waits.
    struct Inbox: Encodable, Equatable, Sendable {
        var waiting = 0
        /// Files whose names say that they are still being written.
        var ignored = 0
        /// Of what waits, since its last change.
        var oldestSeconds: Int?

        private enum CodingKeys: String, CodingKey {
            case waiting, ignored
            case oldestSeconds = "oldest_s"
        }
    }

    /// What is in work.
    struct Work: Encodable, Equatable, Sendable {
        /// Files that were claimed.
        var count = 0
        /// The oldest of them, a hundred at most.
        var claims: [Claim] = []
    }

    /// A file in work.
    struct Claim: Encodable, Equatable, Sendable {
        var id: String
        /// Times that it was begun; nil when the service crashed over it.
        var attempts: Int?
        /// The file's name, as a manifest has it; nil while it is being moved.
        var name: String?
    }

    /// What is kept.
    struct Kept: Encodable, Equatable, Sendable {
        var count = 0
        /// Since the oldest was refused.
        var oldestSeconds: Int?

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

    /// The status with the members that programs are told.
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

    /// The status as one JSON object with a line feed, members in byte order.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(self) else {
            preconditionFailure("a status holds only text and whole numbers")
        }
        return Array(json) + Array("\n".utf8)
    }
}
