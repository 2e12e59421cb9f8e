internal import CAv

/// The still picture of a film: upright, with square pixels, as a PNG.
enum Poster {
    /// Longest short edge, in pixels: twice what is made of it, so that it is shrunk once more by the better resampler.
    private static let shortEdge = 1_200

    /// Nil where it cannot be made.
    static func png(of frame: UnsafeMutablePointer<AVFrame>, shape: Shape) -> [UInt8]? {
        let scale = min(1, Double(shortEdge) / Double(min(shape.plainWidth, shape.plainHeight)))
        let width = max(1, Int((Double(shape.plainWidth) * scale).rounded()))
        let height = max(1, Int((Double(shape.plainHeight) * scale).rounded()))
        guard
            let plain = Scaling.pixels(
                of: frame, width: width, height: height, format: AV_PIX_FMT_RGB24, bytesPerPixel: 3)
        else { return nil }
        let pixels = shape.turn.laid(plain, width: width, height: height)
        let isSideways = shape.turn.isSideways
        return encode(pixels, width: isSideways ? height : width, height: isSideways ? width : height)
    }

    private static func encode(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8]? {
        var context = avcodec_alloc_context3(avcodec_find_encoder(AV_CODEC_ID_PNG))
        var frame = av_frame_alloc()
        var packet = av_packet_alloc()
        defer {
            av_packet_free(&packet)
            av_frame_free(&frame)
            avcodec_free_context(&context)
        }
        guard let context, let frame, let packet else { return nil }
        context.pointee.width = Int32(width)
        context.pointee.height = Int32(height)
        context.pointee.pix_fmt = AV_PIX_FMT_RGB24
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.thread_count = 1
        // It is decoded at once and never sent.
        context.pointee.compression_level = 1
        frame.pointee.width = Int32(width)
        frame.pointee.height = Int32(height)
        frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
        guard avcodec_open2(context, nil, nil) >= 0, av_frame_get_buffer(frame, 0) >= 0,
            let rows = frame.pointee.data.0
        else { return nil }
        pixels.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            for row in 0..<height {
                UnsafeMutableRawPointer(rows + row * Int(frame.pointee.linesize.0))
                    .copyMemory(from: start + row * width * 3, byteCount: width * 3)
            }
        }
        guard avcodec_send_frame(context, frame) >= 0, avcodec_receive_packet(context, packet) >= 0,
            let data = packet.pointee.data
        else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
    }
}
