internal import AttachmentRules
internal import JobProtocol

/// One datagram of every kind that a worker sends.
enum Replies {
    static func seeds() throws -> Seeds.Named {
        var facts = SourceFacts()
        (facts.orientation, facts.hasGPS, facts.hasCamera, facts.hasDate) = (6, true, true, true)
        (facts.hasEXIF, facts.isSRGB) = (true, false)
        facts.colorProfile = "Display P3 \u{E9}\n"
        facts.notes = [Note(.profileIgnored, "It does not fit.")]
        let size = PlannedSize(width: 800, height: 600)
        var rendition = Rendition(
            size: size, bytes: 99_000, quality: 72, isProgressive: true, attempts: 5, reason: .qualityLowered,
            libvips: "8.14.1")
        rendition.focus = 120
        rendition.proof = Rendition.Proof(quality: 73, bytes: 101_000)
        let rejection = Rejection(.decodeFailed, rule: .doesNotDecode, stage: .render, "It does not decode.")
        var clip = ClipFacts(durationMilliseconds: 1_045)
        clip.headerMilliseconds = 1_024
        clip.video = ClipFacts.Video(codec: "h264", width: 720, height: 1_280, frames: 30)
        clip.audio = ClipFacts.Audio(codec: "aac", sampleRate: 44_100, channels: 2)
        return [
            "checked": try JobCoding.encode(JobReply(id: 3, outcome: .checked(facts, size))),
            "clip": try JobCoding.encode(JobReply(id: 4, outcome: .clip(clip, posterBytes: 60_000))),
            "greeting": try JobCoding.encode(WorkerGreeting()),
            "planned": try JobCoding.encode(JobReply(id: 1, outcome: .planned(SourceFacts(), size))),
            "rendered": try JobCoding.encode(JobReply(id: .max, outcome: .rendered(facts, rendition))),
            "checked": try JobCoding.encode(
                JobReply(id: 3, outcome: .checked(facts, PlannedSize(width: 4_000, height: 3_000)))),
            "refused": try JobCoding.encode(JobReply(id: 2, outcome: .refused(rejection))),
        ]
    }
}
