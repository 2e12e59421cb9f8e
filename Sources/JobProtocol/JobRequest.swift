public import AttachmentRules
public import MediaProbe

/// One picture to make, as the supervisor asks for it: a JSON datagram that carries two descriptors, first the source
/// (sealed, read-only), then the place for the result.
public struct JobRequest: Codable, Sendable {
    /// Comes back in the reply, so that an answer cannot be taken for another job's.
    public var id: UInt64
    /// What the probe found.
    public var facts: MediaFacts
    public var recipe: Recipe
    public var kind: Kind

    public init(id: UInt64, facts: MediaFacts, recipe: Recipe, kind: Kind) {
        self.id = id
        self.facts = facts
        self.recipe = recipe
        self.kind = kind
    }

    public enum Kind: String, Codable, Sendable {
        /// Identify and plan; write nothing.
        case plan
        /// The whole pipeline.
        case render
        /// The whole pipeline, then one more encode at the next higher quality to prove that it does not fit.
        case renderAndProve = "render-and-prove"
    }
}
