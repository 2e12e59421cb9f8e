internal import AttachmentRules
internal import CAv

/// A file that was opened by the demuxer of its type, with its streams found.
final class ClipInput {
    let format: UnsafeMutablePointer<AVFormatContext>
    private let source: MappedSource

    init(_ bytes: UnsafeRawBufferPointer, as type: MediaType) throws(Rejection) {
        guard let name = Demuxer.name(for: type), let demuxer = av_find_input_format(name) else {
            throw Rejection(
                .badReply, rule: .doesNotDecode, stage: .worker, "There is no demuxer for \(type.rawValue).")
        }
        source = MappedSource(bytes)
        guard let io = source.io, var opened = avformat_alloc_context() else { throw .outOfMemory }
        shim_forbid_opening(opened)
        opened.pointee.pb = io
        opened.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        for (key, value) in Demuxer.settings { av_dict_set(&settings, key, value, 0) }
        av_dict_set(&settings, "format_whitelist", demuxer.pointee.name, 0)
        var handle: UnsafeMutablePointer<AVFormatContext>? = opened
        // Where this fails it frees what it was given.
        guard avformat_open_input(&handle, "", demuxer, &settings) >= 0, let handle else {
            throw .damaged("its header cannot be read")
        }
        opened = handle
        format = opened
        guard avformat_find_stream_info(opened, nil) >= 0 else { throw .damaged("its streams cannot be made out") }
        try check()
    }

    deinit {
        var handle: UnsafeMutablePointer<AVFormatContext>? = format
        // The bytes' own handle is `source`'s and goes after it.
        avformat_close_input(&handle)
    }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<format.pointee.nb_streams).map { shim_stream(format, $0) }
    }

    /// The sound and film in it; a cover picture is neither.
    var tracks: [UnsafeMutablePointer<AVStream>] {
        let pictures = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS
        return streams.filter { stream in
            stream.pointee.disposition & pictures == 0 && (stream.isVideo || stream.isAudio)
        }
    }

    /// Takes the next packet into `packet`; false at the end.
    func read(_ packet: UnsafeMutablePointer<AVPacket>) throws(Rejection) -> Bool {
        let answer = av_read_frame(format, packet)
        if answer == shim_end() { return false }
        guard answer >= 0 else { throw .cut("a part of it that its header tells of is not there") }
        return true
    }

    private func check() throws(Rejection) {
        guard format.pointee.nb_streams <= Demuxer.mostStreams else {
            throw .unsupported("It has more than \(Demuxer.mostStreams) streams")
        }
        guard !tracks.isEmpty else { throw .damaged("there is neither sound nor film in it") }
        for track in tracks {
            let parameters = track.pointee.codecpar.pointee
            if track.isVideo {
                guard parameters.width <= longestSide, parameters.height <= longestSide else {
                    throw .unsupported("Its film has \(parameters.width) x \(parameters.height) pixels")
                }
            } else {
                guard parameters.sample_rate <= 768_000, parameters.ch_layout.nb_channels <= 64 else {
                    throw .unsupported(
                        "Its sound has \(parameters.ch_layout.nb_channels) channels of \(parameters.sample_rate) Hz")
                }
            }
        }
    }
}

/// Of a film, in pixels.
let longestSide = 8_192

extension UnsafeMutablePointer<AVStream> {
    var isVideo: Bool { pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
    var isAudio: Bool { pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }

    /// libavcodec's name of the coding, such as `h264`.
    var codec: String { String(cString: avcodec_get_name(pointee.codecpar.pointee.codec_id)) }

    /// A time of this stream in seconds.
    func seconds(_ time: Int64) -> Double {
        Double(time) * Double(pointee.time_base.num) / Double(max(pointee.time_base.den, 1))
    }
}
