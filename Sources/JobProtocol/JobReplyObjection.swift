internal import AttachmentRules
internal import MediaProbe

extension JobReply {
    /// Why this cannot be the true answer to `request`, as the end of a sentence; nil when it can.
    ///
    /// Whoever answers has decoded hostile bytes, and what it says is printed and kept: every text is bounded, every
    /// number is held against the request, and the size against a plan that is made here once more.
    public func objection(to request: JobRequest) -> String? {
        guard remarks.count <= Self.mostRemarks, remarks.allSatisfy({ $0.utf8.count <= Self.longestRemark }) else {
            return "its remarks are too long"
        }
        switch (request.kind, outcome) {
        case (.clip, .refused(let rejection)):
            return rejection.objection(codes: [
                .decodeFailed, .truncated, .unsupportedCoding, .codecNotAllowed, .badReply,
            ])
        case (_, .refused(let rejection)):
            return rejection.objection(codes: [.decodeFailed, .typeNotAllowed, .doesNotFit, .verifyFailed, .badReply])
        case (.clip, .clip(let facts, let posterBytes)):
            return facts.objection
                ?? ((0...(facts.video == nil ? 0 : JobRequest.mostPosterBytes)).contains(posterBytes)
                    ? nil : "it announces a still picture of \(posterBytes) bytes")
        case (.plan, .planned(let source, let size)):
            return source.objection ?? request.objection(to: size, of: source, isReduced: false)
        case (.check, .checked(let source, let size)):
            return source.objection ?? request.objection(toUpright: size, of: source)
        case (.render, .rendered(let source, let rendition)), (.renderAndProve, .rendered(let source, let rendition)):
            return source.objection ?? rendition.objection(to: request)
                ?? request.objection(to: rendition.size, of: source, isReduced: rendition.reason == .pixelsLowered)
                ?? rendition.focusObjection
        default:
            return "it answers another question"
        }
    }

    /// True when the decoder gave up: its state may be as odd as the picture, and another is to take its place.
    public var isDecodersRefusal: Bool {
        guard case .refused(let rejection) = outcome else { return false }
        return rejection.code != .doesNotFit
    }
}

extension Rejection {
    fileprivate func objection(codes: [Code]) -> String? {
        let stages: [Stage] = [.identify, .plan, .render, .encode, .verify, .worker]
        guard stages.contains(stage), codes.contains(code) else {
            return "\(code.rawValue) in \(stage.rawValue) is not for a decoder to say"
        }
        // A sentence with libvips's own words, which are cut to 200 characters.
        return message.utf8.count <= 2_000 ? nil : "its message has \(message.utf8.count) bytes"
    }
}

extension ClipFacts {
    fileprivate var objection: String? {
        let longest = JobReply.longestMilliseconds
        guard video != nil || audio != nil else { return "there is neither sound nor film in it" }
        guard (0...longest).contains(durationMilliseconds), (0...longest).contains(headerMilliseconds ?? 0) else {
            return "it lasts \(durationMilliseconds) ms"
        }
        for codec in [video?.codec, audio?.codec] {
            if let codec, !(1...32).contains(codec.utf8.count) || !codec.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            {
                return "its coding's name is none"
            }
        }
        if let video {
            let sides = 1...65_536
            guard sides.contains(video.width), sides.contains(video.height), (1...2_000_000).contains(video.frames)
            else {
                return "it tells of \(video.frames) frames of \(video.width)x\(video.height)"
            }
        }
        if let audio, !(1...768_000).contains(audio.sampleRate) || !(1...64).contains(audio.channels) {
            return "it tells of \(audio.channels) channels of \(audio.sampleRate) Hz"
        }
        return nil
    }
}

extension SourceFacts {
    fileprivate var objection: String? {
        guard (1...8).contains(orientation) else { return "there is no orientation \(orientation)" }
        // 80 characters, each of them with a mark or two.
        guard (colorProfile?.utf8.count ?? 0) <= 1_000 else { return "its colour profile's name is too long" }
        guard notes.count <= 8, notes.allSatisfy({ $0.message.utf8.count <= 500 }) else {
            return "its notes are too long"
        }
        return nil
    }
}

extension Rendition {
    fileprivate func objection(to request: JobRequest) -> String? {
        guard (1...request.recipe.maxBytes).contains(bytes) else {
            return "it announces \(bytes) bytes where \(request.recipe.maxBytes) are allowed"
        }
        guard (1...request.recipe.quality).contains(quality), (1...100).contains(attempts) else {
            return "it announces quality \(quality) after \(attempts) attempts"
        }
        guard libvips.utf8.count <= 20, libvips.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "its version is none"
        }
        if let proof, request.kind != .renderAndProve || !(1...101).contains(proof.quality) || proof.bytes < 1 {
            return "its proof is none"
        }
        return nil
    }
}

extension Rendition {
    /// For a size that was not objected to.
    fileprivate var focusObjection: String? {
        guard let focus, !(0...abs(size.width - size.height)).contains(focus) else { return nil }
        return "its focus lies outside of the picture"
    }
}

extension JobRequest {
    /// Holds the size of a result against the plan for this source.
    ///
    /// - Parameter isReduced: pixels were given up to meet the budget.
    fileprivate func objection(to size: PlannedSize, of source: SourceFacts, isReduced: Bool) -> String? {
        let isTurned = source.orientation >= 5
        let plan = Plan.size(
            width: isTurned ? facts.height : facts.width, height: isTurned ? facts.width : facts.height,
            recipe: recipe)
        let fits: Bool
        switch facts.mediaType {
        case .heic, .heif, .avif, .gif:
            // A HEIF container may turn and crop its picture, and of some GIFs libvips takes the frame for the screen.
            let longest = max(facts.width, facts.height)
            fits =
                size.width >= 1 && size.height >= 1 && max(size.width, size.height) <= longest
                && min(size.width, size.height) <= recipe.shortEdge
        default:
            fits = isReduced ? plan.isEnlargement(of: size) : size == plan
        }
        if fits { return nil }
        return "it announces \(size.width)x\(size.height) where \(plan.width)x\(plan.height) was planned"
    }
}

extension JobRequest {
    /// Holds the size that a source has when it is upright against the size as stored.
    fileprivate func objection(toUpright size: PlannedSize, of source: SourceFacts) -> String? {
        let isTurned = source.orientation >= 5
        let stored = PlannedSize(
            width: isTurned ? facts.height : facts.width, height: isTurned ? facts.width : facts.height)
        let fits: Bool
        switch facts.mediaType {
        case .heic, .heif, .avif, .gif:
            let longest = max(facts.width, facts.height)
            fits = size.width >= 1 && size.height >= 1 && max(size.width, size.height) <= longest
        default: fits = size == stored
        }
        if fits { return nil }
        return "it announces \(size.width)x\(size.height) where \(stored.width)x\(stored.height) are stored"
    }
}

extension PlannedSize {
    /// Whether the other size is a smaller one of this shape, within one pixel of either side.
    fileprivate func isEnlargement(of other: PlannedSize) -> Bool {
        guard (1...width).contains(other.width), (1...height).contains(other.height) else { return false }
        return abs(other.width * height - other.height * width) <= width + height
    }
}
