/// Which codings of sound and film a phone decodes.
///
/// Apple publishes no such table for attachments; this is our judgement, after what AVFoundation plays on iOS 13 and
/// later. Names are libavcodec's.
enum CodecRules {
    /// A finding in the making; nil for a coding that is decoded.
    static func objection(to clip: ClipFacts, in type: MediaType) -> (severity: Severity, message: String)? {
        guard clip.video != nil || clip.audio != nil else {
            return (.error, "it has neither a sound nor a film track that can be decoded")
        }
        if let video = clip.video, let objection = objection(toVideo: video.codec, in: type) { return objection }
        if let audio = clip.audio, let objection = objection(toAudio: audio.codec, in: type) { return objection }
        return nil
    }

    private static let videoCodecs: Set = ["h264", "hevc", "mpeg4", "h263", "mjpeg", "prores"]
    private static let oldVideoCodecs: Set = ["mpeg1video", "mpeg2video"]
    private static let audioCodecs: Set = [
        "aac", "mp3", "mp3float", "alac", "ac3", "eac3", "amr_nb", "amr_wb", "amrnb", "amrwb",
    ]
    private static let oldAudioCodecs: Set = ["mp1", "mp1float", "mp2", "mp2float"]
    private static let oldContainers: Set<MediaType> = [.mpeg, .mpeg2Video, .mpegTransport, .avi]

    private static func objection(toVideo codec: String, in type: MediaType) -> (Severity, String)? {
        if videoCodecs.contains(codec) { return nil }
        if oldVideoCodecs.contains(codec), oldContainers.contains(type) { return nil }
        if codec == "av1" {
            return (.warning, "its film is coded in av1, which only the newest phones decode; use h264 for all of them")
        }
        return (.error, "its film is coded in \(codec), which phones do not decode in \(type.rawValue); use h264")
    }

    private static func objection(toAudio codec: String, in type: MediaType) -> (Severity, String)? {
        // pcm_mulaw and pcm_alaw among them.
        if audioCodecs.contains(codec) || codec.hasPrefix("pcm_") || codec.hasPrefix("adpcm_ima_") { return nil }
        if oldAudioCodecs.contains(codec), oldContainers.contains(type) { return nil }
        return (.error, "its sound is coded in \(codec), which phones do not decode in \(type.rawValue); use aac")
    }
}
