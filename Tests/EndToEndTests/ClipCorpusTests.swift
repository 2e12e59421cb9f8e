import Foundation
import Testing

/// The sound and film of the public corpus next to the repository, when it is there.
@Suite struct ClipCorpusTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/corpus")
    static let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "MANIFEST.tsv").path)

    /// What each file comes to: the code of a refusal, or the extension and then the notes.
    static let expected: [String: String] = [
        "audio/alac.caf": "caf ATT004",
        "audio/alsa__Front_Center.wav": "wav",
        "audio/ax__100kB-garbage-prefix.mp3": "unknown-type",
        "audio/ax__1024_incrementing_bytes.mp3": "unknown-type",
        "audio/ax__bbb_1ch_8kHz_aac_lc.aac": "type-not-allowed",
        "audio/ax__bbb_1ch_8kHz_aac_lc.m4a": "m4a",
        "audio/ax__bear-id3.mp3": "mp3",
        "audio/ax__bear.flac": "type-not-allowed",
        "audio/ax__bear.opus": "type-not-allowed",
        "audio/ax__sample_float32.wav": "wav",
        "audio/ax__sample_ima_adpcm.wav": "wav",
        "audio/ax__sample_nb.amr": "amr ATT004",
        "audio/pcm.caf": "caf ATT004",
        "audio/sndtheme__complete.oga": "type-not-allowed",
        "audio/taglib__alaw.aifc": "aifc ATT004",
        "audio/taglib__empty.aiff": "aiff",
        "audio/taglib__excessive_alloc.aif": "unknown-type",
        "audio/taglib__excessive_alloc.mp3": "decode-failed",
        "audio/taglib__lame_cbr.mp3": "truncated",
        "audio/taglib__segfault.wav": "decode-failed",
        "video/ax__bbb_176x144_128kbps_15fps_h263.3gp": "3gp ATT004",
        "video/ax__bbb_642x642_768kbps_30fps_vp9.webm": "type-not-allowed",
        "video/ax__dolbyVision-hdr.MOV": "mov ATT004",
        "video/ax__h265_bframes.mp4": "mp4",
        "video/ax__hdr10-av1.mp4": "mp4 ATT008",
        "video/ax__invalid-bitstream.webm": "type-not-allowed",
        "video/ax__long_1080p_lowbitrate.mp4": "mp4 ATT009 key-frames-only",
        "video/ax__long_180p_av1.mp4": "mp4 ATT008 ATT009",
        "video/ax__sample.avi": "avi",
        "video/ax__sample.flv": "type-not-allowed",
        "video/ax__sample.mp4": "mp4",
        "video/ax__sample_fragmented.mp4": "mp4 ATT010",
        "video/ax__sample_h262_mpeg_audio.ps": "mpg",
        "video/ax__sample_malformed_free_box.mp4": "decode-failed",
        "video/ax__sample_portrait.mp4": "mp4",
        "video/ax__sample_rotate_and_reflect.mp4": "mp4",
        "video/ax__silent-black-25s.mp4": "mp4",
    ]

    @Test("every file has the outcome that is meant", .enabled(if: isThere, "the corpus is not next to the repository"))
    func outcomes() throws {
        let scratch = try Scratch()
        let folders = ["audio", "video"].map { Self.folder.appending(path: $0).path }
        let result = try Program().run(["batch"] + folders + ["--output", "out", "--json", "--quiet"], in: scratch.url)
        var found: [String: String] = [:]
        for manifest in result.manifests {
            let source = try #require((manifest["source"] as? [String: Any])?["path"] as? String)
            let path = source.split(separator: "/").suffix(2).joined(separator: "/")
            if let rejection = manifest["rejection"] as? [String: Any] {
                found[path] = rejection["code"] as? String
                continue
            }
            let output = try #require(manifest["output"] as? [String: Any])
            let notes = (manifest["notes"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
            let rules = (manifest["checks"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
            found[path] = ([try #require(output["extension"] as? String)] + rules + notes).joined(separator: " ")
            let bytes = try Data(contentsOf: URL(filePath: source))
            #expect(scratch.bytes("out/\(try #require(output["path"] as? String))") == Array(bytes), "\(path)")
            #expect((output["family"] as? String == "movie") == (manifest["poster"] != nil), "\(path)")
        }
        #expect(found == Self.expected)
    }
}
