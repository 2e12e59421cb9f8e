/// How `lying-worker` answers for a picture that is as wide as the raw value.
///
/// No sandbox holds it: whoever reads the answer must not count on one.
public enum Lie: Int, CaseIterable, Sendable {
    // Datagrams that are no reply to the request.
    case garbage = 201
    case deepNesting, longReply, otherJob, otherKind, extraMember, unknownNote, withDescriptors
    /// An empty datagram, which looks like the end of the socket, and then nothing more.
    case emptyMessage

    // Replies that cannot be true.
    case badOrientation = 221
    case longProfileName, longNote, manyNotes, longRefusal, foreignRefusal
    case highQuality, manyAttempts, noVersion, unaskedProof, farFocus
    case tooManyBytes, endlessBytes, negativeBytes
    case noSize, negativeSize, endlessSize, leastSize, thinSize, otherSize

    // Results that are not what the reply says.
    case longer = 251
    case shorter, nothing, overBudget, endless
    case otherSizeHidden, progressiveHidden
    case exif, comment, thumbnail, strayBytes, trailingBytes, png
    case gray, cmyk, twelveBits, sixteenBits, fullChroma
    case truncated, halfScan, noQuantization, noCodes, unreadableCodes
    case keptMapping, sealedBefore

    // Answers that are true as far as anybody can tell.
    /// A refusal with terminal escapes and line ends in it.
    case escapes = 301
    /// The reply, and the reply once more.
    case secondReply
    /// The bytes of the result before this one.
    case earlierResult

    /// The sizes that no result can have.
    public static let absurdSizes: [Lie] = [.noSize, .negativeSize, .endlessSize, .leastSize, .thinSize]
    /// The lies that can be known for what they are.
    public static let refutable = allCases.filter { $0.rawValue < Lie.escapes.rawValue }
}
