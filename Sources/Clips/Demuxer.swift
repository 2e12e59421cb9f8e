internal import AttachmentRules
internal import CAv

/// Which demuxer reads which type: the one that the type by content belongs to, and no other.
enum Demuxer {
    /// Its name, and what it calls itself in full, which is what libav compares a list of allowed ones with.
    static func name(for type: MediaType) -> String? {
        switch type {
        case .mp4, .m4a, .m4v, .quickTime, .threeGPP, .threeGPP2: "mov"
        case .avi: "avi"
        case .mpeg: "mpeg"
        case .mpeg2Video: "mpegvideo"
        case .wav: "wav"
        case .aiff, .aifc: "aiff"
        case .caf: "caf"
        case .au: "au"
        case .mp3: "mp3"
        case .amr: "amr"
        case .ac3: "ac3"
        case .eac3: "eac3"
        default: nil
        }
    }

    /// Its settings: nothing outside of the file is ever looked for, and no more is read ahead than finding out what the
    /// streams are takes.
    static let settings = [
        "codec_whitelist": ClipDecoders.whitelist,
        "protocol_whitelist": "",
        "max_streams": "\(mostStreams)",
        "probesize": "5000000",
        "analyzeduration": "5000000",
        "use_absolute_path": "0",
        "enable_drefs": "0",
    ]

    /// More than any camera writes; a phone's film has up to ten, data included.
    static let mostStreams = 32
}
