internal import CAv

/// A frame's pixels in another format and size, by libswscale.
enum Scaling {
    /// The rows without gaps; nil where libswscale cannot.
    static func pixels(
        of frame: UnsafeMutablePointer<AVFrame>, width: Int, height: Int, format: AVPixelFormat, bytesPerPixel: Int
    ) -> [UInt8]? {
        let source = frame.pointee
        let (sourceFormat, isFullRange) = plain(AVPixelFormat(rawValue: source.format))
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        guard
            let context = sws_getContext(
                source.width, source.height, sourceFormat, Int32(width), Int32(height), format, flags, nil, nil, nil)
        else { return nil }
        defer { sws_freeContext(context) }
        let range: Int32 = isFullRange || source.color_range == AVCOL_RANGE_JPEG ? 1 : 0
        // Grey and RGB have no matrix, and libswscale says so by refusing it.
        sws_setColorspaceDetails(
            context, sws_getCoefficients(matrix(of: source)), range, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
            1 << 16, 1 << 16)
        let stride = width * bytesPerPixel
        // libswscale writes whole vectors: behind each row there is the next, and behind the last this.
        let rows = [UInt8](unsafeUninitializedCapacity: stride * height + 64) { buffer, count in
            buffer.initialize(repeating: 0)
            count = buffer.count
            var target: [UnsafeMutablePointer<UInt8>?] = [buffer.baseAddress, nil, nil, nil]
            var strides: [Int32] = [Int32(stride), 0, 0, 0]
            let done = withUnsafeBytes(of: source.data) { data in
                withUnsafeBytes(of: source.linesize) { sizes in
                    sws_scale(
                        context, data.assumingMemoryBound(to: UnsafePointer<UInt8>?.self).baseAddress,
                        sizes.assumingMemoryBound(to: Int32.self).baseAddress, 0, source.height, &target, &strides)
                }
            }
            if done != Int32(height) { count = 0 }
        }
        return rows.isEmpty ? nil : Array(rows.prefix(stride * height))
    }

    /// Formats that mean full range by their name, by their other name.
    private static func plain(_ format: AVPixelFormat) -> (AVPixelFormat, isFullRange: Bool) {
        switch format {
        case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
        case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
        case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
        case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
        default: (format, false)
        }
    }

    /// Which matrix made its colour differences. Where it does not say, size does, as players have it: that of HD from
    /// 720 rows on.
    private static func matrix(of frame: AVFrame) -> Int32 {
        switch frame.colorspace {
        case AVCOL_SPC_BT709: SWS_CS_ITU709
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: SWS_CS_ITU601
        case AVCOL_SPC_SMPTE240M: SWS_CS_SMPTE240M
        case AVCOL_SPC_FCC: SWS_CS_FCC
        default:
            max(frame.width, frame.height) >= 1_280 || min(frame.width, frame.height) >= 720
                ? SWS_CS_ITU709 : SWS_CS_ITU601
        }
    }
}
