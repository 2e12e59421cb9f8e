/// Why one file was refused: the rule, a stable word, the stage that decided, and a sentence for a person.
///
/// The stage that failed decides the code; a library's own error text never does.
public struct Rejection: Error, Codable, Equatable, Sendable {
    /// The rule that was broken.
    public var rule: Rule
    /// A stable word that a program can switch on.
    public var code: Code
    /// The stage that refused.
    public var stage: Stage
    /// One sentence with the measured value, the limit and the way out; without the file's name.
    public var message: String

    public init(_ code: Code, rule: Rule, stage: Stage, _ message: String) {
        self.rule = rule
        self.code = code
        self.stage = stage
        self.message = message
    }

    /// The stages of one image, in the order in which they run.
    public enum Stage: String, Codable, Sendable {
        case intake, probe, identify, plan, render, encode, verify, worker, inspect, publish
        /// Reading what a push is to be.
        case push
    }

    /// Stable words for the reasons.
    public enum Code: String, Codable, Sendable, CaseIterable {
        case notARegularFile = "not-a-regular-file"
        case unreadable
        case changedWhileRead = "changed-while-read"
        case empty
        case fileTooLarge = "file-too-large"
        /// Sound or film under the name of another kind of file.
        case extensionMismatch = "extension-mismatch"
        /// Sound or film that lasts longer than the profile lets it.
        case tooLong = "too-long"
        case unknownType = "unknown-type"
        case typeNotAllowed = "type-not-allowed"
        case malformed
        case truncated
        case tooManyPixels = "too-many-pixels"
        case tooMuchMemory = "too-much-memory"
        case tooManyFrames = "too-many-frames"
        case tooManyScans = "too-many-scans"
        case tooManySegments = "too-many-segments"
        case metadataBomb = "metadata-bomb"
        case unsupportedCoding = "unsupported-coding"
        /// Sound or film in a coding that the receiver has no decoder for.
        case codecNotAllowed = "codec-not-allowed"
        case decodeFailed = "decode-failed"
        case doesNotFit = "does-not-fit"
        case verifyFailed = "verify-failed"
        case decoderCrashed = "decoder-crashed"
        case decoderTimeout = "decoder-timeout"
        case badReply = "bad-reply"
        case outputExists = "output-exists"
        /// The service ended while it worked on the file, and is not to end over it again.
        case crashed
        /// The description of a push cannot be read, or contradicts itself.
        case badPush = "bad-push"
        /// More files in the directory of a push than one has attachments.
        case tooManyAttachments = "too-many-attachments"
        case payloadTooLarge = "payload-too-large"
    }
}
