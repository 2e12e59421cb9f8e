internal import AttachmentRules
internal import JobProtocol
internal import Kernel

/// What a source has become.
struct MadeAttachment {
    let content: Content
    /// What is to be published: the main result, and a film's still picture; none of a picture that was only planned.
    let results: [ResultFile]

    init(_ content: Content, results: [ResultFile]) {
        self.content = content
        self.results = results
    }

    enum Content {
        case planned(PlannedSize)
        case picture(Rendition)
        /// The source goes as it is.
        case clip(ClipFacts, MediaType, poster: Rendition?)
    }

    /// The proof that was asked for.
    var proof: Rendition.Proof? {
        if case .picture(let rendition) = content { rendition.proof } else { nil }
    }
}

extension Manifest {
    /// This one with what a source has become, judged by the rules of its receiver.
    ///
    /// - Parameter paths: of the results, below the output directory.
    /// - Throws: when these rules refuse the result.
    func telling(
        _ made: MadeAttachment, for receiver: Profile, among profiles: [Profile], at paths: [FilePath]
    ) throws(Rejection) -> Manifest {
        var told = self
        told.tell(made, recipe: receiver.recipe, at: paths)
        return try told.judged(by: receiver, among: profiles)
    }

    /// Adds what a source has become.
    private mutating func tell(_ made: MadeAttachment, recipe: Recipe, at paths: [FilePath]) {
        switch made.content {
        case .planned(let size):
            tell(planned: size)
        case .picture(let rendition):
            tell(rendition, at: paths[0], sha256: made.results[0].digest, recipe: recipe)
        case .clip(let clip, let type, let still):
            let source = made.results[0]
            tell(clip, as: type, at: paths[0], sha256: source.digest, bytes: source.file.size)
            if let still { tell(still: still, at: paths[1], sha256: made.results[1].digest) }
        }
    }
}
