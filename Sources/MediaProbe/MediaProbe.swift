public import AttachmentRules

/// Reads what a file is from its structure alone: no decoder runs, every read is bounds-checked, and nothing is
/// allocated in proportion to a number found in the file.
public enum MediaProbe {
    /// The type by content, or nil when no known signature fits.
    public static func identify(_ bytes: Span<UInt8>) -> MediaType? {
        Signatures.type(of: bytes)
    }

    /// The facts of a picture.
    ///
    /// - Throws: `Rejection` when the type is unknown or not a picture we decode, when the header cannot be read, or
    ///   when walking the structure breaks a limit. A truncated file gives facts with `isComplete` false, or a
    ///   rejection `truncated` when it ends before its dimensions.
    public static func examine(_ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> MediaFacts {
        guard !bytes.isEmpty else {
            throw Rejection(.empty, rule: .notAFile, stage: .probe, "The file is empty; send it again.")
        }
        guard bytes.count <= limits.fileBytes else {
            throw Rejection(
                .fileTooLarge, rule: .tooManyBytes, stage: .probe,
                "The file has \(bytes.count) bytes, over the limit of \(limits.fileBytes); send a smaller one.")
        }
        guard let type = identify(bytes) else {
            throw Rejection(
                .unknownType, rule: .unknownContent, stage: .probe,
                "The content is of no known type; send a JPEG, PNG, GIF, WebP, HEIC, AVIF or TIFF picture, sound as "
                    + "M4A, MP3, WAV or AIFF, or a film as MP4.")
        }
        switch type {
        case .jpeg: return try JpegStructure.examine(bytes, limits: limits)
        case .png, .apng: return try PngStructure.examine(bytes, limits: limits)
        case .gif: return try GifStructure.examine(bytes, limits: limits)
        case .webp: return try WebpStructure.examine(bytes, limits: limits)
        case .heic, .heif, .avif: return try HeifStructure.examine(bytes, as: type, limits: limits)
        case .tiff: return try TiffStructure.examine(bytes, limits: limits)
        default:
            throw Rejection(
                .typeNotAllowed, rule: .typeNotAccepted, stage: .probe,
                "The content is \(type.rawValue), which is not accepted; send a JPEG, PNG, GIF, WebP, HEIC, AVIF or "
                    + "TIFF picture.")
        }
    }

    /// Decides whether a picture with these facts may reach a decoder.
    ///
    /// What no second upload would mend is named first, so that a cut file of a hopeless size is not sent again.
    public static func admit(_ facts: MediaFacts, limits: Limits) throws(Rejection) {
        let pixels = facts.width.saturatingTimes(facts.height)
        let mostPixels = facts.mediaType == .jpeg ? limits.shrinkOnLoadPixels : limits.wholePixels
        guard pixels <= mostPixels else {
            throw Rejection(
                .tooManyPixels, rule: .tooManyPixels, stage: .probe,
                "The picture has \(facts.width) x \(facts.height) pixels, over the limit of \(mostPixels) pixels for "
                    + "its type; scale it down before sending it.")
        }
        guard facts.workingMemory <= limits.workingMemory else {
            throw Rejection(
                .tooMuchMemory, rule: .tooManyPixels, stage: .probe,
                "Decoding the picture would take about \(facts.workingMemory) bytes, over the limit of "
                    + "\(limits.workingMemory); scale it down, or save it without progressive or interlaced coding.")
        }
        guard facts.frames <= limits.frames else { throw .tooManyFrames(limit: limits.frames) }
        guard facts.bitsPerComponent <= limits.bitsPerSample else {
            throw .unsupportedCoding("The picture has \(facts.bitsPerComponent) bits per sample")
        }
        guard facts.isComplete else {
            throw Rejection(
                .truncated, rule: .doesNotDecode, stage: .probe,
                "The file ends before its own structure does, or its picture data is too short or damaged; send the "
                    + "whole file again.")
        }
    }
}
