internal import AttachmentRules
internal import Kernel

extension Manifest {
    /// This one with what the rules say of its results.
    ///
    /// - Throws: when they refuse one.
    func judged(by profile: Profile, among profiles: [Profile]) throws(Rejection) -> Manifest {
        var judged = self
        judged.judge(by: profile, among: profiles)
        if let objection = judged.objection { throw objection }
        if let attachments {
            judged.attachments = try attachments.map { attachment throws(Rejection) in
                do throws(Rejection) {
                    return try attachment.judged(by: profile, among: profiles)
                } catch {
                    throw error.of(FilePath(attachment.name))
                }
            }
        }
        return judged
    }

    /// This one, if the rules say of its results what it tells; nil where they say something else by now.
    func standing(with profile: Profile, among profiles: [Profile]) -> Manifest? {
        (try? judged(by: profile, among: profiles)) == self ? self : nil
    }

    /// Adds what the rules say of the result: for the profile in use, and in a word for every profile. Nothing where
    /// there is no result.
    mutating func judge(by profile: Profile, among receivers: [Profile]) {
        guard let output, let facts = facts(of: output) else { return }
        var found = Validator.findings(of: facts, profile: profile, strict: false)
        if let attachment { found += OptionRules.findings(of: attachment, facts: facts, profile: profile) }
        checks = sourceFindings(by: profile) + found
        // For the others it is a file like any other: it was not made for them.
        var asItIs = facts
        asItIs.subject = .source
        let others = receivers.filter { $0.name != profile.name }.map { other in
            (other.name, Self.word(for: Validator.findings(of: asItIs, profile: other, strict: false)))
        }
        profiles = Dictionary(others + [(profile.name, Self.word(for: found))], uniquingKeysWith: { first, _ in first })
        if let picture = facts.picture, let peaks = memory?.peaks {
            let decoded = DecodedMemory(
                width: picture.width, height: picture.height, bitsPerComponent: picture.bitsPerComponent)
            memory?.budgets = profile.verdicts(on: decoded, peaks: peaks)
        }
    }

    /// Why the result must not be published: an error among the findings on it.
    ///
    /// Not so the memory that an extension would need which does more with it than attach it: of a long panorama that is
    /// told, and its bitmap has been held to its share of the memory.
    var objection: Rejection? {
        let memory: Set<Rule> = [
            .overExtensionLimit, .nearExtensionLimit, .overOldExtensionLimit, .overContentLimit, .overImageShare,
        ]
        let error = checks?.first { $0.subject == .output && $0.severity == .error && !memory.contains($0.rule) }
        return error.map {
            // A sound or film is what was handed in; a picture is our own, and wrong.
            let code: Rejection.Code =
                switch $0.rule {
                case .typeNotAccepted: .typeNotAllowed
                case .codecNotAccepted: .codecNotAllowed
                case .tooManyBytes, .overProfileLimit: .fileTooLarge
                case .tooLong: .tooLong
                default: .verifyFailed
                }
            return Rejection(
                code, rule: $0.rule, stage: .inspect, "It cannot be published for that receiver: \($0.message).")
        }
    }

    private func facts(of output: Output) -> AttachmentFacts? {
        guard let bytes = output.bytes else { return nil }
        var facts = AttachmentFacts(bytes: bytes, mediaType: output.mediaType)
        facts.subject = .output
        facts.fileExtension = output.fileExtension
        facts.typeHint = attachment?.typeHint
        facts.clip = clip
        if output.family == .image, let width = output.width, let height = output.height {
            facts.picture = AttachmentFacts.Picture(width: width, height: height)
        }
        return facts
    }

    /// What publishing did not mend of the source.
    private func sourceFindings(by profile: Profile) -> [Finding] {
        guard let bytes = source.bytes, let width = source.width, let height = source.height,
            source.mediaType?.family == .image
        else { return [] }
        var facts = AttachmentFacts(bytes: bytes, mediaType: source.mediaType)
        facts.picture = AttachmentFacts.Picture(width: width, height: height)
        return Validator.findings(of: facts, profile: profile, strict: false).filter { $0.rule == .notEnlarged }
    }

    /// `ok`, or the first of the worst findings, as in `error:SIZ003`. That a picture could be larger says nothing against
    /// it.
    private static func word(for all: [Finding]) -> String {
        let findings = all.filter { $0.rule != .notEnlarged }
        guard let worst = findings.map(\.severity).max(), let first = findings.first(where: { $0.severity == worst })
        else { return "ok" }
        return "\(worst.rawValue):\(first.rule.rawValue)"
    }
}
