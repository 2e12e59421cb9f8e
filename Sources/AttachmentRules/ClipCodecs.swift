/// Which codings of sound and film receivers decode, by libavcodec's names.
///
/// Source: the decoders of AVFoundation that every iPhone of today has; AV1 only from the A17 Pro on.
public enum ClipCodecs {
    /// What the receiver makes of a coding.
    public enum Verdict: Equatable, Sendable {
        case accepted
        /// Phones of the last years decode it, older ones show nothing.
        case newPhonesOnly
        case refused
    }

    /// - Parameter type: the container; MPEG-1 and MPEG-2 video are played from their own and from AVI.
    public static func video(_ codec: String, in type: MediaType) -> Verdict {
        switch codec {
        case "h264", "hevc", "mpeg4", "h263", "mjpeg", "prores": .accepted
        case "mpeg1video", "mpeg2video": [.mpeg, .mpeg2Video, .avi].contains(type) ? .accepted : .refused
        case "av1": .newPhonesOnly
        default: .refused
        }
    }

    public static func audio(_ codec: String) -> Verdict {
        if codec.hasPrefix("pcm_") { return .accepted }
        return switch codec {
        case "aac", "mp3", "mp2", "alac", "adpcm_ima_wav", "adpcm_ima_qt", "ac3", "eac3", "amr_nb", "amr_wb": .accepted
        default: .refused
        }
    }
}
