/// Which codings of sound and film a phone decodes.
///
/// Apple publishes no such table for attachments; this is our judgement, after what AVFoundation plays on iOS 13 and
/// later. Names are libavcodec's.
public enum CodecRules {
    /// How bad a coding is, and why, as a part of a sentence.
    public typealias Objection = (severity: Severity, message: String)

    /// Nil for codings that are decoded.
    static func objection(to clip: ClipFacts, in type: MediaType) -> Objection? {
        guard clip.video != nil || clip.audio != nil else {
            return (.error, "it has neither a sound nor a film track that can be decoded")
        }
        if let video = clip.video, let objection = objection(toVideo: video.codec, in: type) { return objection }
        if let audio = clip.audio, let objection = objection(toAudio: audio.codec, in: type) { return objection }
        return nil
    }

    private static let videoCodecs: Set = ["h264", "hevc", "mpeg4", "h263", "mjpeg", "prores"]
    private static let oldVideoCodecs: Set = ["mpeg1video", "mpeg2video"]
    private static let audioCodecs: Set = ["aac", "mp3", "alac", "ac3", "eac3", "amr_nb", "amr_wb"]
    private static let oldAudioCodecs: Set = ["mp2"]
    private static let oldContainers: Set<MediaType> = [.mpeg, .mpeg2Video, .avi]

    /// Nil for a coding of films that is decoded.
    public static func objection(toVideo codec: String, in type: MediaType) -> Objection? {
        if videoCodecs.contains(codec) { return nil }
        if oldVideoCodecs.contains(codec), oldContainers.contains(type) { return nil }
        if codec == "av1" {
            return (.warning, "its film is coded in av1, which only the newest phones decode; use h264 for all of them")
        }
        return (.error, "its film is coded in \(codec), which phones do not decode in \(type.rawValue); use h264")
    }

    /// Nil for a coding of sound that is decoded.
    public static func objection(toAudio codec: String, in type: MediaType) -> Objection? {
        // pcm_mulaw and pcm_alaw among them.
        if audioCodecs.contains(codec) || codec.hasPrefix("pcm_") || codec.hasPrefix("adpcm_ima_") { return nil }
        if oldAudioCodecs.contains(codec), oldContainers.contains(type) { return nil }
        return (.error, "its sound is coded in \(codec), which phones do not decode in \(type.rawValue); use aac")
    }
}
