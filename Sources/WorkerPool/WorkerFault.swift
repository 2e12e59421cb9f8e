public import AttachmentRules
public import Kernel

/// What a worker did to its job, as far as it counts against the file.
public enum WorkerFault: Error, Equatable, Sendable {
    /// It ended with the job unanswered.
    case crashed(ExitStatus)
    /// It had not answered after this time.
    case timedOut(Duration)
    /// Its answer cannot be believed; why, as the end of a sentence.
    case badReply(String)
    /// What the probe found is too long for one message.
    case requestTooLong(bytes: Int)

    /// The refusal of the file that this fault ends in.
    public var rejection: Rejection {
        switch self {
        case .crashed(.signalled(9)):
            rejection(
                .decoderCrashed,
                "The decoder \(ExitStatus.signalled(9)), as the kernel does when memory runs out; run it again, with "
                    + "fewer jobs.")
        case .crashed(let status):
            rejection(
                .decoderCrashed,
                "The decoder \(status) while it worked on this file; save it anew and send that.")
        case .timedOut(let time):
            rejection(
                .decoderTimeout,
                "The decoder had not finished after \(time.inSeconds) and was killed; allow it more time or send a "
                    + "smaller one.")
        case .badReply(let reason): rejection(.badReply, "The decoder's answer is not to be trusted: \(reason).")
        case .requestTooLong(let bytes):
            rejection(.tooManySegments, "The file's structure takes \(bytes) bytes to describe to the decoder.")
        }
    }

    private func rejection(_ code: Rejection.Code, _ message: String) -> Rejection {
        Rejection(code, rule: .doesNotDecode, stage: .worker, message)
    }
}
