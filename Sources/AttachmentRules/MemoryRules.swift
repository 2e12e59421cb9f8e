/// The rules MEM and ANI001: what Apple's extensions need to decode a picture.
enum MemoryRules {
    static func judge(
        _ picture: AttachmentFacts.Picture, _ type: MediaType, of facts: AttachmentFacts, _ list: inout FindingList
    ) {
        let profile = list.profile
        guard profile.isApple else { return }
        let subject = facts.subject
        let memory = DecodedMemory(
            width: picture.width, height: picture.height, bitsPerComponent: picture.bitsPerComponent)
        let peaks = memory.peaks(fileBytes: facts.bytes, frames: picture.frames)
        let verdicts = profile.verdicts(on: memory, peaks: peaks)
        func standing(_ budget: MemoryBudget) -> MemoryBudget.Standing { verdicts[budget.rawValue]?.verdict ?? .ok }
        func needs(_ bytes: Int, _ doing: String, _ limit: Int) -> String {
            "\(bytes) bytes to \(doing), of \(limit) that there are; make it smaller"
        }

        if picture.frames > 1, profile.animation.contains(type) {
            // The system's own view plays it outside of any extension; only the larger budget is a limit then.
            let kept = "needs " + needs(peaks.animateAll, "keep \(picture.frames) frames", profile.memoryBudget)
            switch peaks.animateAll {
            case (MemoryBudget.content2019.limitBytes + 1)...: list.add(.tooManyFrames, subject, as: .error, kept)
            case (profile.memoryBudget + 1)...: list.add(.tooManyFrames, subject, as: .warning, kept)
            default: break
            }
        }
        switch standing(.serviceExtension) {
        case .error:
            list.add(
                .overExtensionLimit, subject,
                "a service extension needs "
                    + needs(peaks.reencodeInExtension, "decode and encode it", profile.memoryBudget))
        case .warning:
            list.add(
                .nearExtensionLimit, subject,
                "a service extension needs \(peaks.reencodeInExtension) bytes to decode and encode it, over 80 % of its "
                    + "\(profile.memoryBudget); make it smaller")
        case .ok: break
        }
        if standing(.oldServiceExtension) == .error {
            list.add(
                .overOldExtensionLimit, subject,
                "an extension of iOS 12 needs "
                    + needs(
                        peaks.reencodeInExtension, "decode and encode it", MemoryBudget.oldServiceExtension.limitBytes))
        }
        for (budget, severity) in [(MemoryBudget.content2019, Severity.error), (.contentDesign, .warning)]
        where standing(budget) == .error {
            list.add(
                .overContentLimit, subject, as: severity,
                "a content extension needs " + needs(peaks.displayCopy, "show it", budget.limitBytes))
            break
        }
        if standing(.imageShare) == .error {
            list.add(
                .overImageShare, subject,
                "decoded it has \(memory.residentBytes) bytes, and \(profile.recipe.imageShareBytes) are its share; "
                    + "make it smaller")
        }
    }
}
