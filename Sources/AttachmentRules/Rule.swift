/// The rules of the receiving side. Each has one id, which manifests, commands and the reference use.
///
/// Sources: the vendors' documents and SDKs that the README's reference names for each.
public enum Rule: String, Codable, Sendable, CaseIterable {
    /// Empty or not a regular file.
    case notAFile = "ATT001"
    /// Magic bytes not recognised.
    case unknownContent = "ATT002"
    /// A type that no receiver takes.
    case typeNotAccepted = "ATT003"
    /// A type that recent systems take and no document names.
    case typeNotDocumented = "ATT004"
    /// The extension is missing or is another type's.
    case extensionMismatch = "ATT005"
    /// The type hint is not a uniform type identifier of ours.
    case badTypeHint = "ATT006"
    /// The file does not decode completely.
    case doesNotDecode = "ATT007"
    /// Sound or film in a coding that the receiver has no decoder for.
    case codecNotAccepted = "ATT008"
    /// Sound or film longer than the limit.
    case tooLong = "ATT009"
    /// The container says another duration than its packets add up to.
    case falseDuration = "ATT010"
    /// More bytes than the receiver's limit for the family.
    case tooManyBytes = "SIZ001"
    /// More bytes than the target.
    case overTarget = "SIZ002"
    /// More bytes than the profile's own limit.
    case overProfileLimit = "SIZ003"
    /// More pixels or working memory than can be decoded.
    case tooManyPixels = "DIM001"
    /// The output was not resized.
    case notResized = "DIM002"
    /// Wider or higher than any phone shows.
    case widerThanShown = "DIM003"
    /// Narrower than a receiver's minimum.
    case tooNarrow = "DIM004"
    /// A shape that will be cropped or letter-boxed.
    case badRatio = "DIM005"
    /// The source is smaller than the target, and nothing is enlarged.
    case notEnlarged = "DIM006"
    /// The output is not 8-bit sRGB.
    case notSRGB = "COL001"
    /// The output is not upright and stripped.
    case notStripped = "COL002"
    /// More frames than the budget.
    case tooManyFrames = "ANI001"
    /// An animation that the receiver does not play.
    case animationNotShown = "ANI002"
    /// More than the service extension's limit.
    case overExtensionLimit = "MEM001"
    /// More than 80 % of the service extension's limit, where the kernel warns.
    case nearExtensionLimit = "MEM002"
    /// More than the service extension's limit of iOS 12 and earlier.
    case overOldExtensionLimit = "MEM003"
    /// More than a content extension's budget.
    case overContentLimit = "MEM004"
    /// One picture, or those of one push together, take more than their share of the memory.
    case overImageShare = "MEM005"
    /// Not https.
    case notHTTPS = "URL001"
    /// The path does not end in the right lower-case extension.
    case urlExtension = "URL002"
    /// A query or a fragment.
    case urlQuery = "URL003"
    /// Too long, not ASCII, or with blanks.
    case badURL = "URL004"
    /// The served type is not the file's.
    case servedType = "URL005"
    /// No length, a redirect, or no success.
    case servedResponse = "URL006"
    /// Not to be cached for good.
    case servedCaching = "URL007"
    /// A thumbnail rectangle outside of the picture.
    case badClippingRectangle = "OPT001"
    /// A thumbnail time or frame outside of the film.
    case badThumbnailTime = "OPT002"
    /// A payload of too many bytes.
    case payloadTooLarge = "PAY001"
    /// The service extension will not run.
    case extensionWillNotRun = "PAY002"
    /// Media that were not published, or have changed.
    case mediaNotPublished = "PAY003"
    /// Keys or values of `aps` that the receiver does not know.
    case badAPS = "PAY004"
    /// The provider's type field is missing or disagrees.
    case badTypeField = "PAY005"
    /// No category, or one that no content extension is registered for.
    case unknownCategory = "PAY006"
    /// More attachments than the provider's SDK reads.
    case tooManyAttachments = "PAY007"
    /// A push as it was handed in cannot be read or contradicts itself.
    case badPush = "PAY008"
}
