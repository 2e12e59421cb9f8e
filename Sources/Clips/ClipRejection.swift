internal import AttachmentRules

/// What can be wrong with a sound or film.
extension Rejection {
    /// - Parameter what: the end of a sentence.
    static func damaged(_ what: String) -> Rejection {
        Rejection(
            .decodeFailed, rule: .doesNotDecode, stage: .worker,
            "The file does not decode completely: \(what); save it anew and send that.")
    }

    /// - Parameter what: the end of a sentence.
    static func cut(_ what: String) -> Rejection {
        Rejection(
            .truncated, rule: .doesNotDecode, stage: .worker,
            "The file is not whole: \(what); send all of it again.")
    }

    /// - Parameter what: the begin of a sentence.
    static func unsupported(_ what: String) -> Rejection {
        Rejection(
            .unsupportedCoding, rule: .doesNotDecode, stage: .worker,
            "\(what), which is not supported; save it in an ordinary form.")
    }

    static func codec(_ codec: String) -> Rejection {
        Rejection(
            .codecNotAllowed, rule: .codecNotAccepted, stage: .worker,
            "It is coded as \(codec), which the receiver does not decode; send H.264 or HEVC with AAC, or MP3.")
    }

    static let outOfMemory = Rejection(
        .decodeFailed, rule: .doesNotDecode, stage: .worker,
        "Decoding it takes more memory than there is for one file; send a smaller one.")
}
