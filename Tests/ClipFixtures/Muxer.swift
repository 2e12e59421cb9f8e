internal import CAv

/// Encoders and a container, writing to memory.
final class Muxer {
    /// One encoder and its stream.
    struct Track {
        let encoder: UnsafeMutablePointer<AVCodecContext>
        let stream: UnsafeMutablePointer<AVStream>
        let frameSize: Int
    }

    private var format: UnsafeMutablePointer<AVFormatContext>
    private var tracks: [Track] = []

    init(_ container: String) throws(FilmError) {
        var made: UnsafeMutablePointer<AVFormatContext>?
        avformat_alloc_output_context2(&made, nil, container, nil)
        guard let made else { throw FilmError(call: "avformat_alloc_output_context2") }
        format = made
        made.pointee.strict_std_compliance = -2
        avio_open_dyn_buf(&made.pointee.pb)
    }

    deinit {
        for track in tracks {
            var encoder: UnsafeMutablePointer<AVCodecContext>? = track.encoder
            avcodec_free_context(&encoder)
        }
        avformat_free_context(format)
    }

    func addVideo(_ film: Film, _ codec: String) throws(FilmError) -> Track {
        let encoder = try encoder(codec)
        encoder.pointee.width = Int32(film.width)
        encoder.pointee.height = Int32(film.height)
        encoder.pointee.pix_fmt = codec == "mjpeg" ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P
        encoder.pointee.time_base = AVRational(num: 1, den: 25)
        encoder.pointee.framerate = AVRational(num: 25, den: 1)
        encoder.pointee.gop_size = 10
        encoder.pointee.bit_rate = 400_000
        encoder.pointee.sample_aspect_ratio = AVRational(num: film.pixelRatio.0, den: film.pixelRatio.1)
        let track = try open(encoder)
        track.stream.pointee.sample_aspect_ratio = encoder.pointee.sample_aspect_ratio
        if let matrix = film.matrix, let data = av_stream_new_side_data(track.stream, AV_PKT_DATA_DISPLAYMATRIX, 36) {
            matrix.withUnsafeBytes { UnsafeMutableRawPointer(data).copyMemory(from: $0.baseAddress!, byteCount: 36) }
        }
        return track
    }

    func addAudio(_ codec: String) throws(FilmError) -> Track {
        let encoder = try encoder(codec)
        encoder.pointee.sample_rate = 44_100
        encoder.pointee.sample_fmt = encoder.pointee.codec.pointee.sample_fmts.pointee
        av_channel_layout_default(&encoder.pointee.ch_layout, 1)
        encoder.pointee.time_base = AVRational(num: 1, den: 44_100)
        encoder.pointee.bit_rate = 64_000
        return try open(encoder)
    }

    /// A stream for one JPEG.
    func addCover() throws(FilmError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(format, nil) else { throw FilmError(call: "avformat_new_stream") }
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_MJPEG
        stream.pointee.codecpar.pointee.width = 64
        stream.pointee.codecpar.pointee.height = 64
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        stream.pointee.time_base = AVRational(num: 1, den: 25)
        return stream
    }

    func begin(isFragmented: Bool) throws(FilmError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if isFragmented { av_dict_set(&options, "movflags", "frag_keyframe+empty_moov", 0) }
        try check("avformat_write_header", avformat_write_header(format, &options))
    }

    func write(_ bytes: [UInt8], to stream: UnsafeMutablePointer<AVStream>) throws(FilmError) {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet, av_new_packet(packet, Int32(bytes.count)) >= 0 else { throw FilmError(call: "av_new_packet") }
        bytes.withUnsafeBytes {
            UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
        }
        packet.pointee.stream_index = stream.pointee.index
        packet.pointee.pts = 0
        packet.pointee.dts = 0
        packet.pointee.flags = AV_PKT_FLAG_KEY
        try check("av_interleaved_write_frame", av_interleaved_write_frame(format, packet))
    }

    func encode(
        on track: Track, count: Int, _ fill: (UnsafeMutablePointer<AVFrame>, Int) -> Void
    ) throws(FilmError) {
        for number in 0..<count {
            var frame = av_frame_alloc()
            defer { av_frame_free(&frame) }
            guard let frame else { throw FilmError(call: "av_frame_alloc") }
            let encoder = track.encoder.pointee
            frame.pointee.width = encoder.width
            frame.pointee.height = encoder.height
            frame.pointee.nb_samples = Int32(track.frameSize)
            frame.pointee.format =
                encoder.codec_type == AVMEDIA_TYPE_VIDEO ? encoder.pix_fmt.rawValue : encoder.sample_fmt.rawValue
            av_channel_layout_copy(&frame.pointee.ch_layout, &track.encoder.pointee.ch_layout)
            frame.pointee.sample_rate = encoder.sample_rate
            try check("av_frame_get_buffer", av_frame_get_buffer(frame, 0))
            fill(frame, number)
            frame.pointee.pts = Int64(number * (encoder.codec_type == AVMEDIA_TYPE_VIDEO ? 1 : track.frameSize))
            try send(frame, track)
        }
        try send(nil, track)
    }

    func finish() throws(FilmError) -> [UInt8] {
        try check("av_write_trailer", av_write_trailer(format))
        // Not what closing gives: that is cut where a muxer ends by mending its header.
        var buffer: UnsafeMutablePointer<UInt8>?
        let length = avio_get_dyn_buf(format.pointee.pb, &buffer)
        let bytes = Array(UnsafeBufferPointer(start: buffer, count: Int(length)))
        avio_close_dyn_buf(format.pointee.pb, &buffer)
        av_free(buffer)
        format.pointee.pb = nil
        return bytes
    }

    private func encoder(_ name: String) throws(FilmError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let codec = avcodec_find_encoder_by_name(name), let context = avcodec_alloc_context3(codec) else {
            throw FilmError(call: "the encoder \(name)")
        }
        context.pointee.strict_std_compliance = -2
        context.pointee.thread_count = 1
        if format.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 {
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
        return context
    }

    private func open(_ encoder: UnsafeMutablePointer<AVCodecContext>) throws(FilmError) -> Track {
        try check("avcodec_open2", avcodec_open2(encoder, nil, nil))
        guard let stream = avformat_new_stream(format, nil) else { throw FilmError(call: "avformat_new_stream") }
        stream.pointee.time_base = encoder.pointee.time_base
        try check("avcodec_parameters_from_context", avcodec_parameters_from_context(stream.pointee.codecpar, encoder))
        let size = Int(encoder.pointee.frame_size)
        let track = Track(encoder: encoder, stream: stream, frameSize: size > 0 ? size : 1_024)
        tracks.append(track)
        return track
    }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?, _ track: Track) throws(FilmError) {
        try check("avcodec_send_frame", avcodec_send_frame(track.encoder, frame))
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw FilmError(call: "av_packet_alloc") }
        while avcodec_receive_packet(track.encoder, packet) >= 0 {
            packet.pointee.stream_index = track.stream.pointee.index
            if packet.pointee.duration == 0, track.encoder.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
                packet.pointee.duration = 1
            }
            av_packet_rescale_ts(packet, track.encoder.pointee.time_base, track.stream.pointee.time_base)
            try check("av_interleaved_write_frame", av_interleaved_write_frame(format, packet))
        }
    }

    private func check(_ call: String, _ answer: Int32) throws(FilmError) {
        if answer < 0 { throw FilmError(call: "\(call) (\(answer))") }
    }
}
