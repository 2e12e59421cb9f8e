import AttachmentRules
import ClipFixtures
import Testing

@testable import Clips

/// What of a film is decoded.
@Suite struct DecodingTests {
    @Test("beyond the budget of pixels only key frames are decoded, and that is told")
    func keyFrames() throws {
        let file = try film {
            $0.audio = nil
            $0.seconds = 2
        }
        let facts = try file.withUnsafeBytes { bytes in
            let measured = try Measurement.take(of: bytes, as: .mp4)
            // 50 frames of 320 x 240, one of them a key frame in ten or twelve.
            var decoding = try Decoding(of: bytes, as: .mp4, measured, mostPixels: 20 * 320 * 240)
            try decoding.run()
            return decoding.facts(measured)
        }
        #expect(!facts.isDecodedWhole)
        #expect((2...6).contains(facts.video?.frames ?? 0))
        #expect(abs(facts.durationMilliseconds - 2_000) < 60)
    }

    @Test("where even the key frames are too many, decoding ends with the budget")
    func intraOnly() throws {
        let file = try film {
            $0.container = "mov"
            $0.video = .mjpeg
            $0.audio = nil
        }
        let facts = try file.withUnsafeBytes { bytes in
            let measured = try Measurement.take(of: bytes, as: .quickTime)
            var decoding = try Decoding(of: bytes, as: .quickTime, measured, mostPixels: 5 * 320 * 240)
            try decoding.run()
            return decoding.facts(measured)
        }
        #expect(!facts.isDecodedWhole && facts.video?.frames == 5)
    }

    @Test("libav says what it has to say in remarks, and no more than a few")
    func remarks() throws {
        try Clips.start()
        _ = Clips.takeRemarks()
        _ = try Read(film().dropLast(1) + [0])
        let broken = try Read(Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WAVE".utf8))
        #expect(broken.rejection != nil)
        #expect(Clips.takeRemarks().isEmpty, "those of a job are taken with its answer")
    }
}
