/// What one rule says of one subject.
public struct Finding: Codable, Equatable, Sendable {
    public var rule: Rule
    public var subject: Subject
    public var severity: Severity
    /// One sentence with the measured value, the limit and the way out; without the file's name.
    public var message: String
    /// What the phone would raise, where it raises anything.
    public var unError: UNErrorCode?

    public init(
        _ rule: Rule, _ subject: Subject, _ severity: Severity, _ message: String, unError: UNErrorCode? = nil
    ) {
        self.rule = rule
        self.subject = subject
        self.severity = severity
        self.message = message
        self.unError = unError
    }

    /// What is judged.
    public enum Subject: String, Codable, Sendable {
        /// A file as it was handed in.
        case source
        /// A file that mediaprep made.
        case output
        case url
        /// What a server said of the file.
        case response
        /// The attachments of one push together.
        case group
        case options
        case payload
    }

    enum CodingKeys: String, CodingKey {
        case rule, subject
        case severity = "verdict"
        case message
        case unError = "un_error"
    }
}

/// How bad a finding is.
public enum Severity: String, Codable, Sendable, Comparable {
    /// Publish, with a note.
    case warning
    /// Refuse.
    case error

    public static func < (left: Severity, right: Severity) -> Bool { left == .warning && right == .error }
}

/// The codes of `UNErrorDomain` that an attachment can raise (UNError.h).
public enum UNErrorCode: Int, Codable, Sendable {
    case attachmentInvalidURL = 100
    case attachmentUnrecognizedType = 101
    case attachmentInvalidFileSize = 102
    case attachmentNotInDataStore = 103
    case attachmentMoveIntoDataStoreFailed = 104
    case attachmentCorrupt = 105
}
