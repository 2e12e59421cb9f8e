public import AttachmentRules

extension MediaProbe {
    /// Decides whether a sound or film of this type may reach a decoder.
    public static func admit(clip bytes: Span<UInt8>, as type: MediaType) throws(Rejection) {
        guard type.support != .none, type.family != .image else {
            throw Rejection(
                .typeNotAllowed, rule: .typeNotAccepted, stage: .probe,
                "The content is \(type.rawValue), which is not accepted; send sound as M4A, MP3, WAV or AIFF, a film as "
                    + "MP4.")
        }
        try admit(clipBytes: bytes.count, as: type)
        guard !ClipStructure.isCut(bytes, as: type) else {
            throw Rejection(
                .truncated, rule: .doesNotDecode, stage: .probe,
                "The file ends before its own structure does; send the whole file again.")
        }
        guard !ClipReferences.leadOut(of: bytes, as: type) else {
            throw Rejection(
                .unsupportedCoding, rule: .doesNotDecode, stage: .probe,
                "The film or sound in it lies in another file; export it as one file and send that.")
        }
    }

    /// Decides whether a sound or film has no more bytes than its family may have.
    public static func admit(clipBytes bytes: Int, as type: MediaType) throws(Rejection) {
        let family = type.family ?? .movie
        guard bytes <= family.mostBytes else {
            throw Rejection(
                .fileTooLarge, rule: .tooManyBytes, stage: .probe,
                "\(family == .audio ? "Sound" : "A film") of \(bytes) bytes is over the limit of \(family.mostBytes) bytes; "
                    + "send a shorter or smaller one.")
        }
    }
}
