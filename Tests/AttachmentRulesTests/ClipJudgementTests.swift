import AttachmentRules
import Testing

/// As what sound and film are published, and what is told about them.
@Suite struct ClipJudgementTests {
    static let sound = ClipFacts.Audio(codec: "aac", sampleRate: 44_100, channels: 2)
    static let film = ClipFacts.Video(codec: "h264", width: 640, height: 360, frames: 25)

    static func facts(_ change: (inout ClipFacts) -> Void = { _ in }) -> ClipFacts {
        var facts = ClipFacts(durationMilliseconds: 10_000)
        facts.video = film
        facts.audio = sound
        change(&facts)
        return facts
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let facts: ClipFacts
        var type = MediaType.mp4
        var published = MediaType.mp4
        var notes: [Note.Code] = []
    }

    @Test(arguments: [
        Case(testDescription: "nothing to tell", facts: facts()),
        Case(testDescription: "MP4 of sound", facts: facts { $0.video = nil }, published: .m4a),
        Case(testDescription: "M4A with a film", facts: facts(), type: .m4a, published: .mp4),
        Case(
            testDescription: "MOV", facts: facts(), type: .quickTime, published: .quickTime,
            notes: [.typeNotDocumented]),
        Case(
            testDescription: "AV1", facts: facts { $0.video?.codec = "av1" }, notes: [.codecOfNewPhonesOnly]),
        Case(testDescription: "30 s", facts: facts { $0.durationMilliseconds = 30_000 }),
        Case(
            testDescription: "longer", facts: facts { $0.durationMilliseconds = 30_001 },
            notes: [.longerThanLimit]),
        Case(testDescription: "the header is off by a second", facts: facts { $0.headerMilliseconds = 9_000 }),
        Case(
            testDescription: "the header is off by more", facts: facts { $0.headerMilliseconds = 11_001 },
            notes: [.falseDuration]),
        Case(
            testDescription: "not all was decoded", facts: facts { $0.isDecodedWhole = false },
            notes: [.keyFramesOnly]),
    ])
    func judgement(_ test: Case) throws {
        let judgement = try ClipJudgement(test.facts, as: test.type, bytes: 1_000, limits: Limits())
        #expect(judgement.type == test.published)
        #expect(judgement.notes.map(\.code) == test.notes)
    }

    @Test("codings that the receiver does not decode are refused")
    func codecs() {
        for facts in [Self.facts { $0.video?.codec = "vp9" }, Self.facts { $0.audio?.codec = "opus" }] {
            let rejection = #expect(throws: Rejection.self) {
                try ClipJudgement(facts, as: .mp4, bytes: 1_000, limits: Limits())
            }
            #expect(rejection?.code == .codecNotAllowed && rejection?.rule == .codecNotAccepted)
        }
        #expect(CodecRules.objection(toVideo: "mpeg2video", in: .mpeg) == nil)
        #expect(CodecRules.objection(toVideo: "mpeg2video", in: .mp4)?.severity == .error)
        #expect(CodecRules.objection(toAudio: "pcm_f32be", in: .wav) == nil)
    }

    @Test("an MP4 that turns out to be sound has sound's limit")
    func bytes() {
        let sound = Self.facts { $0.video = nil }
        let rejection = #expect(throws: Rejection.self) {
            try ClipJudgement(sound, as: .mp4, bytes: 5_000_001, limits: Limits())
        }
        #expect(rejection?.code == .fileTooLarge)
    }

    @Test("the output of a film tells its size and that nothing was stripped")
    func output() throws {
        let output = Manifest.Output(Self.facts(), as: .mp4)
        #expect(output.family == .movie && output.fileExtension == "mp4" && output.uti == "public.mpeg-4")
        #expect((output.width, output.height) == (640, 360))
        #expect(output.contentSizeRatio == 0.5625 && output.duration == 10 && !output.metadataStripped)
        let sound = Manifest.Output(Self.facts { $0.video = nil }, as: .m4a)
        #expect(sound.family == .audio && sound.width == nil && sound.frames == nil)
    }
}
