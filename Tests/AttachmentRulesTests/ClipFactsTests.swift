import AttachmentRules
import Testing

/// As what sound and film are published.
@Suite struct ClipFactsTests {
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
    }

    @Test(arguments: [
        Case(testDescription: "a film", facts: facts()),
        Case(testDescription: "MP4 of sound", facts: facts { $0.video = nil }, published: .m4a),
        Case(testDescription: "M4V of sound", facts: facts { $0.video = nil }, type: .m4v, published: .m4a),
        Case(testDescription: "M4A with a film", facts: facts(), type: .m4a, published: .mp4),
        Case(testDescription: "MOV", facts: facts(), type: .quickTime, published: .quickTime),
    ])
    func published(_ test: Case) {
        #expect(test.facts.published(as: test.type) == test.published)
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
