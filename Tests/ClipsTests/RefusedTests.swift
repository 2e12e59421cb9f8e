import AttachmentRules
import ClipFixtures
import Scenes
import Testing

/// What is no whole sound or film that a receiver takes.
@Suite struct RefusedTests {
    struct Cut: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: @Sendable () throws -> [UInt8]
    }

    static let whole = [
        Cut(testDescription: "WAV") { Tone(seconds: 1).file },
        Cut(testDescription: "AIFF") {
            var tone = Tone(seconds: 1)
            tone.form = .aiff
            return tone.file
        },
        Cut(testDescription: "AVI") { try Reel(width: 160, height: 120, frames: 10).file() },
        Cut(testDescription: "MP4") { try film() },
        Cut(testDescription: "MP4 in fragments") { try film { $0.isFragmented = true } },
        Cut(testDescription: "MOV") { try film { $0.container = "mov" } },
        Cut(testDescription: "MPEG program stream") {
            try film {
                $0.container = "vob"
                $0.video = .mpeg2video
                $0.audio = .mp2
            }
        },
        Cut(testDescription: "CAF") {
            try film {
                $0.container = "caf"
                $0.video = nil
                $0.audio = .pcm
            }
        },
    ]

    @Test("a file that was cut is not whole, wherever that was", arguments: whole)
    func cut(_ test: Cut) throws {
        let file = try test.file()
        for part in [0.2, 0.5, 0.8, 0.95] {
            let read = try Read(Array(file.prefix(Int(Double(file.count) * part))))
            #expect(read.facts == nil, "\(part) of it")
            let code = read.rejection?.code
            #expect(code == .truncated || code == .decodeFailed, "\(part) of it")
        }
    }

    @Test("a film whose data were overwritten does not decode")
    func overwritten() throws {
        var file = try Reel(width: 160, height: 120, frames: 10).file()
        let start = try #require(file.firstRange(of: Array("movi".utf8))).upperBound + 8
        // The first picture, but for its first bytes.
        for offset in start + 4..<start + 400 { file[offset] = 0 }
        #expect(try Read(file).rejection?.code == .decodeFailed)
    }

    @Test("codings that receivers do not decode are refused, and named")
    func codecs() throws {
        let msmpeg = try Read(
            film {
                $0.container = "avi"
                $0.video = .msmpeg4
                $0.audio = nil
            })
        #expect(msmpeg.rejection?.code == .codecNotAllowed)
        #expect(msmpeg.rejection?.rule == .codecNotAccepted)
        #expect(msmpeg.rejection?.message.contains("msmpeg4v3") == true)
        let flac = try Read(film { $0.audio = .flac })
        #expect(flac.rejection?.message.contains("flac") == true)
    }

    @Test("a job for a picture is none for this worker")
    func otherJob() throws {
        let file = Tone(seconds: 1).file
        #expect(try Read(file).facts != nil)
        #expect(try Read(Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WAVE".utf8)).rejection?.code == .decodeFailed)
    }
}
