public import AttachmentRules

/// Reads what a file is from its structure alone: no decoder runs, every read is bounds-checked, and nothing is
/// allocated in proportion to a number found in the file.
public enum MediaProbe {
    /// The type by content, or nil when no known signature fits.
    public static func identify(_ bytes: Span<UInt8>) -> MediaType? { nil }

    /// The facts of a picture.
    ///
    /// - Throws: `Rejection` when the type is unknown or not a picture we decode, when the header cannot be read, or
    ///   when walking the structure breaks a limit. A truncated file gives facts with `isComplete` false.
    public static func examine(_ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> MediaFacts {
        throw Rejection(.unknownType, rule: .unknownContent, stage: .probe, "")
    }

    /// Decides whether a picture with these facts may reach a decoder.
    public static func admit(_ facts: MediaFacts, limits: Limits) throws(Rejection) {}
}
