internal import AttachmentRules

/// The refusals of this stage, each with its rule, so that a walker only says what it found.
extension Rejection {
    static func malformed(_ what: String) -> Rejection {
        Rejection(
            .malformed, rule: .doesNotDecode, stage: .probe,
            "\(what); save the picture again in a common format and send that.")
    }

    /// For a file that ends before even its dimensions are known.
    static func endsEarly(_ type: MediaType, in part: String) -> Rejection {
        Rejection(
            .truncated, rule: .doesNotDecode, stage: .probe,
            "The \(type.rawValue) file ends inside its \(part); send the whole file.")
    }

    static func unsupportedCoding(_ what: String) -> Rejection {
        Rejection(
            .unsupportedCoding, rule: .doesNotDecode, stage: .probe,
            "\(what), which is not decoded here; save the picture as a plain 8-bit JPEG or PNG and send that.")
    }

    /// For a structure with more parts than any real file has.
    static func tooManyParts(_ parts: String, limit: Int) -> Rejection {
        Rejection(
            .tooManySegments, rule: .doesNotDecode, stage: .probe,
            "The file has more than \(limit) \(parts), which is the limit; save the picture again without them.")
    }

    static func tooManyFrames(limit: Int) -> Rejection {
        Rejection(
            .tooManyFrames, rule: .tooManyFrames, stage: .probe,
            "The file has more than \(limit) frames or pages, which is the limit; send fewer.")
    }

    static func metadataBomb(_ what: String, limit: Int) -> Rejection {
        Rejection(
            .metadataBomb, rule: .doesNotDecode, stage: .probe,
            "\(what) more than \(limit) bytes, which is the limit; save the picture again without metadata.")
    }
}
