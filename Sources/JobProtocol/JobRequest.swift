public import AttachmentRules
public import MediaProbe

/// One picture to make, as the supervisor asks for it: a JSON datagram that carries two descriptors, first the source
/// (sealed, read-only), then the place for the result.
public struct JobRequest: Codable, Sendable {
    /// Comes back in the reply, so that an answer cannot be taken for another job's.
    public var id: UInt64
    /// What the probe found, with offsets into the source as it is handed over.
    public var facts: MediaFacts
    /// Length of the picture's own stream from the start of the source; what follows is for the EXIF reader alone.
    public var pictureBytes: Int
    public var recipe: Recipe
    public var kind: Kind

    public init(id: UInt64, facts: MediaFacts, pictureBytes: Int, recipe: Recipe, kind: Kind) {
        self.id = id
        self.facts = facts
        self.pictureBytes = pictureBytes
        self.recipe = recipe
        self.kind = kind
    }

    /// Most bytes of the still picture of a film.
    public static let mostPosterBytes = 64 << 20

    public enum Kind: String, Codable, Sendable {
        /// Identify and plan; write nothing.
        case plan
        /// The whole pipeline.
        case render
        /// The whole pipeline, then one more encode at the next higher quality to prove that it does not fit.
        case renderAndProve = "render-and-prove"
        /// Decode all of a picture, every frame, and write nothing.
        case check
        /// Read all of a sound or film; the result is a still picture of a film, as a PNG. Of `facts` only the media type
        /// says anything. For the clip worker.
        case clip
    }
}
