internal import AttachmentRules
internal import CAv

/// One stream's decoder, on this thread alone.
final class StreamDecoder {
    let stream: UnsafeMutablePointer<AVStream>
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    /// Frames that came out.
    private(set) var frames = 0
    /// Packets that went in before the first frame came out, and could not be decoded.
    private var leadingErrors = 0
    private let isLastFrameLoose: Bool
    /// An error that does not count unless something comes after it.
    private var pending: Rejection?

    /// - Parameter isLastFrameLoose: whether the stream may end within a frame, as where nothing says how long it is.
    init(_ stream: UnsafeMutablePointer<AVStream>, isLastFrameLoose: Bool) throws(Rejection) {
        self.stream = stream
        self.isLastFrameLoose = isLastFrameLoose
        guard let decoder = avcodec_find_decoder_by_name(Self.name(for: stream)) else { throw .codec(stream.codec) }
        frame = av_frame_alloc()
        context = avcodec_alloc_context3(decoder)
        guard let context, frame != nil, avcodec_parameters_to_context(context, stream.pointee.codecpar) >= 0 else {
            throw .outOfMemory
        }
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.thread_count = 1
        context.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER
        context.pointee.max_pixels = Int64(longestSide * longestSide)
        guard avcodec_open2(context, decoder, nil) >= 0 else {
            throw .damaged("its \(stream.codec) decoder cannot be set up for it")
        }
    }

    deinit {
        av_frame_free(&frame)
        avcodec_free_context(&context)
    }

    /// Decodes one packet, or with nil what is left inside.
    ///
    /// - Parameter take: is lent each frame.
    func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?, _ take: (UnsafeMutablePointer<AVFrame>) throws(Rejection) -> Void
    ) throws(Rejection) {
        guard let context, let frame else { return }
        if packet != nil, let pending { throw pending }
        let answer = avcodec_send_packet(context, packet)
        if answer < 0, answer != shim_end() { try judge(answer, packet) }
        while true {
            let answer = avcodec_receive_frame(context, frame)
            if answer == shim_again() || answer == shim_end() { return }
            guard answer >= 0 else {
                try judge(answer, packet)
                return
            }
            defer { av_frame_unref(frame) }
            if frame.pointee.flags & AV_FRAME_FLAG_DISCARD != 0 { continue }
            guard frame.pointee.decode_error_flags == 0, frame.pointee.flags & AV_FRAME_FLAG_CORRUPT == 0 || frames == 0
            else { throw damage }
            frames += 1
            try take(frame)
        }
    }

    /// Whether an error counts: what a cut left in front of the first whole picture, or of the first sound that has all
    /// it refers to, is nothing that a player would show.
    private func judge(_ error: Int32, _ packet: UnsafeMutablePointer<AVPacket>?) throws(Rejection) {
        if error == shim_no_memory() { throw .outOfMemory }
        if let packet, packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0 { return }
        let isKey = (packet?.pointee.flags ?? 0) & AV_PKT_FLAG_KEY != 0
        if frames == 0, leadingErrors < mostLeadingErrors, packet != nil, stream.isAudio || !isKey {
            leadingErrors += 1
        } else if isLastFrameLoose, frames > 0 {
            pending = damage
        } else {
            throw damage
        }
    }

    /// Of an MP3 two frames at most lie in what the first whole one refers to; of a film that begins between two key frames,
    /// those that refer to the one before.
    private var mostLeadingErrors: Int { stream.isAudio ? 2 : 16 }

    private var damage: Rejection {
        .damaged("its \(stream.codec) data are damaged near \(frames == 0 ? "the start" : "frame \(frames + 1)")")
    }

    private static func name(for stream: UnsafeMutablePointer<AVStream>) -> String {
        switch stream.codec {
        case "av1": "libdav1d"
        case "mp3": "mp3float"
        case "mp2": "mp2float"
        case "amr_nb": "amrnb"
        case "amr_wb": "amrwb"
        case let codec: ClipDecoders.names.contains(codec) ? codec : ""
        }
    }
}
