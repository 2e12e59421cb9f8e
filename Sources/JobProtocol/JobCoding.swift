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

    /// The request, answer or greeting that a datagram holds, in exactly the form that `encode` gives it.
    ///
    /// A member too many, one twice, a number in another notation or a blank is malformed: there is one way only to say
    /// a thing, so that nothing can be said in two ways.
    public static func decode<Message: Codable>(
        _ type: Message.Type, from bytes: [UInt8]
    ) throws(JobCodingError) -> Message {
        let message: Message
        do {
            message = try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw .malformed
        }
        guard let canonical = try? encode(message, maximumBytes: bytes.count), canonical == bytes else {
            throw .malformed
        }
        return message
    }

    private static func encode(_ message: some Encodable, maximumBytes: Int) throws(JobCodingError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            bytes = Array(try encoder.encode(message))
        } catch {
            throw .malformed
        }
        guard bytes.count <= maximumBytes else { throw .tooLong(bytes: bytes.count) }
        return bytes
    }
}

/// Why a message cannot cross the socket.
public enum JobCodingError: Error, Equatable, Sendable {
    /// No JSON, not of this message or not as `encode` writes it (a number that JSON cannot say, when encoding).
    case malformed
    /// Longer than a datagram may be.
    case tooLong(bytes: Int)
}
