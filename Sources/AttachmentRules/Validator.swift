/// Whether a receiver takes a file.
public enum Validator {
    /// What the rules ATT, SIZ, DIM, COL, ANI and MEM say of a file, in the order of the rules.
    ///
    /// - Parameter strict: a picture that is larger than the recipe makes them is an error in any case.
    public static func findings(of facts: AttachmentFacts, profile: Profile, strict: Bool) -> [Finding] {
        var list = FindingList(profile)
        guard facts.bytes > 0 else {
            list.add(.notAFile, facts.subject, "it is empty; an attachment needs a content")
            return list.findings
        }
        guard let type = facts.mediaType else {
            list.add(
                .unknownContent, facts.subject,
                "its type cannot be told from its content; use \(accepted(profile, nil))")
            return list.findings
        }
        judgeType(type, of: facts, &list)
        if let clip = facts.clip { judge(clip, type, facts.subject, &list) }
        judgeSize(type, of: facts, strict, &list)
        if let picture = facts.picture {
            PictureRules.judge(picture, type, of: facts, strict, &list)
            MemoryRules.judge(picture, type, of: facts, &list)
        }
        // What the probe or the decoder refused may be told already.
        if let failure = facts.failure, !list.findings.contains(where: { $0.rule == failure.rule }) {
            list.add(failure.rule, facts.subject, failure.message)
        }
        return list.findings.sorted { $0.rule.order < $1.rule.order }
    }

    /// What is refused before anything is known of it.
    public static func findings(of rejection: Rejection, profile: Profile) -> [Finding] {
        var list = FindingList(profile)
        list.add(rejection.rule, .source, rejection.message)
        return list.findings
    }

    private static func judgeType(_ type: MediaType, of facts: AttachmentFacts, _ list: inout FindingList) {
        let profile = list.profile
        if !profile.accepts.contains(type) {
            let receiver =
                type.support == .none && profile.isApple
                ? "it is \(type.rawValue), which UNNotificationAttachment does not accept"
                : "it is \(type.rawValue), which \(profile.name) does not take"
            list.add(
                .typeNotAccepted, facts.subject, raises: type.support == .none,
                "\(receiver); convert it to \(accepted(profile, type.family))")
        } else if type.support == .observed, profile.isApple {
            list.add(
                .typeNotDocumented, facts.subject,
                "it is \(type.rawValue), which recent iOS takes and no document names; convert it for safety")
        }

        let hintIsRight = facts.typeHint.map { hint in MediaType(uti: hint).map { $0.uti == type.uti } ?? false }
        let known = type.extensions.map { ".\($0)" }.joined(separator: " or ")
        if hintIsRight != true {
            if let given = facts.fileExtension, !given.isEmpty {
                if !type.extensions.contains(given.lowercased()) {
                    list.add(
                        .extensionMismatch, facts.subject,
                        "its extension \(Push.quoted("." + given)) does not match its content, \(type.rawValue); name it \(known)"
                    )
                }
            } else {
                list.add(
                    .extensionMismatch, facts.subject,
                    "it has no extension, from which iOS takes the type; name it \(known)")
            }
        }
        if let hint = facts.typeHint, hintIsRight == false {
            let right = type.uti ?? "public.jpeg"
            list.add(
                .badTypeHint, facts.subject,
                MediaType(uti: hint) == nil
                    ? "its type hint has to be a UTI such as \(right), not \(Push.quoted(hint))"
                    : "its type hint \(hint) is not the content's type, which is \(right)")
        }
    }

    private static func judge(
        _ clip: ClipFacts, _ type: MediaType, _ subject: Finding.Subject, _ list: inout FindingList
    ) {
        if let objection = CodecRules.objection(to: clip, in: type) {
            list.add(.codecNotAccepted, subject, as: objection.severity, objection.message)
        }
        let measured = clip.durationMilliseconds
        if let longest = list.profile.longestSeconds, measured > longest * 1000 {
            list.add(
                .tooLong, subject,
                "it lasts \(Seconds.text(measured)) s, and \(longest) s are the limit; cut it")
        }
        // Encoders round, and many headers tell of priming samples; a second and a twentieth is no rounding any more.
        if let told = clip.headerMilliseconds, abs(told - measured) > 1000, abs(told - measured) > measured / 20 {
            list.add(
                .falseDuration, subject,
                "its header tells of \(Seconds.text(told)) s, and it lasts \(Seconds.text(measured)) s; write it anew")
        }
    }

    private static func judgeSize(
        _ type: MediaType, of facts: AttachmentFacts, _ strict: Bool, _ list: inout FindingList
    ) {
        guard let family = type.family else { return }
        let profile = list.profile
        func tooLarge(_ limit: Int, _ whose: String) -> String {
            "\(facts.bytes) bytes are more than \(limit), \(whose); make it smaller"
        }
        if profile.isApple, facts.bytes > family.mostBytes {
            list.add(.tooManyBytes, facts.subject, tooLarge(family.mostBytes, "the limit for \(family.plural)"))
        }
        guard family == .image else { return }
        if let target = profile.targetBytes, facts.bytes > target {
            list.add(
                .overTarget, facts.subject, as: strict ? .error : .warning,
                tooLarge(target, "what \(profile.name) aims at"))
        }
        if let limit = profile.limitBytes, facts.bytes > limit {
            list.add(.overProfileLimit, facts.subject, tooLarge(limit, "the limit of \(profile.name)"))
        }
    }

    /// Extensions of what the receiver takes: of that family, if it takes any of it.
    static func accepted(_ profile: Profile, _ family: MediaType.Family?) -> String {
        let documented = MediaType.allCases.filter { profile.accepts.contains($0) && $0.support == .documented }
        let own = documented.filter { $0.family == family }
        let words = (own.isEmpty ? documented.filter { $0.family == .image } : own).map(\.preferredExtension)
        // An animated PNG has a PNG's name.
        return words.enumerated().filter { words.firstIndex(of: $1) == $0 }.map(\.element).joined(separator: ", ")
    }
}

extension Rule {
    /// Its place in the order of all rules.
    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension MediaType.Family {
    fileprivate var plural: String {
        switch self {
        case .image: "pictures"
        case .audio: "sounds"
        case .movie: "films"
        }
    }
}
