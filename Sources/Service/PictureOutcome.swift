public import AttachmentRules
public import JobProtocol

/// How one source ended.
public enum PictureOutcome: Sendable {
    case published(Manifest, proof: Rendition.Proof?)
    /// An earlier run published the same bytes with the same recipe, and the result is still intact.
    case unchanged(Manifest)
    case planned(Manifest)
    case rejected(Manifest)

    public var manifest: Manifest {
        switch self {
        case .published(let manifest, _), .unchanged(let manifest), .planned(let manifest), .rejected(let manifest):
            manifest
        }
    }
}
