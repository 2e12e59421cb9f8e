/// The decoders that libav may open, by their own names: those of `CodecRules`, whatever a file asks for.
///
/// Names of decoders and not of codings: of those that libavcodec has several of, such as AV1, the one that needs
/// neither a driver nor a thread.
enum ClipDecoders {
    static let names =
        ["h264", "hevc", "mpeg4", "h263", "mjpeg", "prores", "mpeg1video", "mpeg2video", "libdav1d"]
        + ["aac", "mp3float", "mp2float", "alac", "adpcm_ima_wav", "adpcm_ima_qt", "ac3", "eac3", "amrnb", "amrwb"]
        + [
            "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be",
            "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_mulaw", "pcm_alaw",
        ]

    /// As libav takes a list.
    static let whitelist = names.joined(separator: ",")
}
