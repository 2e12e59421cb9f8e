import AttachmentRules
import ClipFixtures
import Scenes
import Testing

/// Whole files of every kind that receivers take.
@Suite struct AcceptedTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let type: MediaType
        var video: String?
        var audio: String?
        var milliseconds = 1_000
        let file: @Sendable () throws -> [UInt8]
    }

    @Test(arguments: [
        Case(testDescription: "WAV", type: .wav, audio: "pcm_s16le") { Tone(seconds: 1).file },
        Case(testDescription: "AIFF", type: .aiff, audio: "pcm_s16be") {
            var tone = Tone(seconds: 1)
            tone.form = .aiff
            return tone.file
        },
        Case(testDescription: "AVI of JPEGs", type: .avi, video: "mjpeg") {
            try Reel(width: 160, height: 120, frames: 10).file()
        },
        Case(testDescription: "MP4 of MPEG-4 and AAC", type: .mp4, video: "mpeg4", audio: "aac", milliseconds: 1_020) {
            try film()
        },
        Case(testDescription: "MP4 in fragments", type: .mp4, video: "mpeg4", audio: "aac", milliseconds: 1_020) {
            try film { $0.isFragmented = true }
        },
        Case(testDescription: "MOV", type: .quickTime, video: "mpeg4", audio: "alac", milliseconds: 1_000) {
            try film {
                $0.container = "mov"
                $0.audio = .alac
            }
        },
        Case(testDescription: "3GP", type: .threeGPP, video: "mpeg4", audio: "aac", milliseconds: 1_020) {
            try film { $0.container = "3gp" }
        },
        Case(testDescription: "3G2", type: .threeGPP2, video: "mpeg4", audio: "aac", milliseconds: 1_020) {
            try film { $0.container = "3g2" }
        },
        Case(testDescription: "M4A", type: .m4a, audio: "aac", milliseconds: 1_020) {
            try film {
                $0.container = "ipod"
                $0.video = nil
            }
        },
        Case(testDescription: "MPEG program stream", type: .mpeg, video: "mpeg2video", audio: "mp2") {
            try film {
                $0.container = "vob"
                $0.video = .mpeg2video
                $0.audio = .mp2
            }
        },
        Case(testDescription: "MPEG-2 video alone", type: .mpeg2Video, video: "mpeg2video") {
            try film {
                $0.container = "mpeg2video"
                $0.video = .mpeg2video
                $0.audio = nil
            }
        },
        Case(testDescription: "AC-3", type: .ac3, audio: "ac3") {
            try film {
                $0.container = "ac3"
                $0.video = nil
                $0.audio = .ac3
            }
        },
        Case(testDescription: "CAF", type: .caf, audio: "pcm_s16le") {
            try film {
                $0.container = "caf"
                $0.video = nil
                $0.audio = .pcm
            }
        },
    ])
    func accepted(_ test: Case) throws {
        let read = try Read(test.file())
        #expect(read.rejection == nil)
        #expect(read.type == test.type)
        let facts = try #require(read.facts)
        #expect(facts.video?.codec == test.video)
        #expect(facts.audio?.codec == test.audio)
        #expect(abs(facts.durationMilliseconds - test.milliseconds) <= 60, "\(facts.durationMilliseconds) ms")
        #expect(facts.isDecodedWhole)
        #expect(read.poster.isEmpty == (test.video == nil))
        if test.video != nil { #expect(facts.video?.frames ?? 0 >= 9) }
    }

    @Test("a cover picture makes no film of a sound")
    func cover() throws {
        let cover = try Scene(width: 64, height: 64).file(SceneFile(.jpeg()))
        let read = try Read(
            film {
                $0.container = "ipod"
                $0.video = nil
                $0.cover = cover
            })
        let facts = try #require(read.facts)
        #expect(facts.video == nil && facts.audio?.codec == "aac")
        #expect(read.poster.isEmpty)
    }

    @Test("the header's duration is told beside the measured one")
    func falseDuration() throws {
        var file = try film()
        let name = try #require(file.firstRange(of: Array("mvhd".utf8)))
        // Version and flags, two times, a scale of 1,000 a second, then the duration.
        file.replaceSubrange(name.lowerBound + 20..<name.lowerBound + 24, with: [0, 0x10, 0, 0])
        let facts = try #require(try Read(file).facts)
        #expect(facts.headerMilliseconds == 0x10_0000)
        #expect(facts.durationMilliseconds < 1_100)
    }
}
