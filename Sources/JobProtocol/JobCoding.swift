import FoundationEssentials

/// The messages of the socket between supervisor and worker: each is one JSON object in one datagram.
public enum JobCoding {
    /// Longest request, in bytes.
    public static let maximumRequestBytes = 128 << 10
    /// Longest answer, in bytes.
    public static let maximumReplyBytes = 64 << 10

    /// One request as a datagram.
    public static func encode(_ request: JobRequest) throws(JobCodingError) -> [UInt8] {
        try encode(request, maximumBytes: maximumRequestBytes)
    }

    /// One answer as a datagram.
    public static func encode(_ reply: JobReply) throws(JobCodingError) -> [UInt8] {
        try encode(reply, maximumBytes: maximumReplyBytes)
    }

    /// The greeting as a datagram.
    public static func encode(_ greeting: WorkerGreeting) throws(JobCodingError) -> [UInt8] {
        try encode(greeting, maximumBytes: maximumReplyBytes)
    }

    /// The request, answer or greeting that a datagram holds.
    public static func decode<Message: Decodable>(
        _ type: Message.Type, from bytes: [UInt8]
    ) throws(JobCodingError) -> Message {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw .malformed
        }
    }

    private static func encode(_ message: some Encodable, maximumBytes: Int) throws(JobCodingError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = Array(try JSONEncoder().encode(message))
        } catch {
            throw .malformed
        }
        guard bytes.count <= maximumBytes else { throw .tooLong(bytes: bytes.count) }
        return bytes
    }
}

/// Why a message cannot cross the socket.
public enum JobCodingError: Error, Equatable, Sendable {
    /// No JSON, or not of this message (a number that JSON cannot say, when encoding).
    case malformed
    /// Longer than a datagram may be.
    case tooLong(bytes: Int)
}

/// What a worker says once, when it is ready for its first job: `{"ready":1}`.
public struct WorkerGreeting: Codable, Equatable, Sendable {
    /// The version of this protocol.
    public var ready: Int

    public init(ready: Int) {
        self.ready = ready
    }

    /// The version that both sides speak here.
    public static let current = WorkerGreeting(ready: 1)
}
