/// A JPEG rebuilt from what its pixels depend on: tables, frame, scans, what decides how colours are read, and one
/// sound colour profile.
///
/// Headers are mended that libjpeg warns of although no pixel is affected. Every warning fails the decode, because
/// libjpeg warns of a grey bottom in the same way; some cameras write headers that it warns of on every photo. Of its
/// warnings three are about bytes that it then ignores (JWRN_NOT_SEQUENTIAL, JWRN_JFIF_MAJOR and JWRN_ADOBE_XFORM in
/// jerror.h).
struct JpegStream {
    struct Segment {
        let code: UInt8
        /// Of the marker's 0xFF.
        let start: Int
        /// Without marker and length.
        let body: Range<Int>
        /// Of a scan, after its entropy-coded data.
        let end: Int
    }

    private var segments: [Segment] = []
    /// Where EOI stands; nil when the file ends without it.
    private var end: Int?
    private var components = 0
    private var isSequential = false
    /// The segments that count: libjpeg goes by the first JFIF and the last Adobe segment before the first scan.
    private var jfif: Int?
    private var adobe: Int?
    private var profile = JpegProfile()

    static func rebuilt(_ bytes: Span<UInt8>) -> StreamBuilder {
        JpegStream(bytes).build(bytes)
    }

    private init(_ bytes: Span<UInt8>) {
        var offset = 2
        var hasScan = false
        while let marker = bytes.nextJpegMarker(from: offset) {
            let code = bytes[marker + 1]
            if code == 0xD9 {
                end = marker
                return
            }
            if code == 0x01 {
                offset = marker + 2
                continue
            }
            guard let length = bytes.bigEndian16(at: marker + 2), length >= 2, marker + 2 + length <= bytes.count
            else { return }
            let body = marker + 4..<marker + 2 + length
            offset = code == 0xDA ? bytes.nextJpegMarker(from: body.upperBound) ?? bytes.count : body.upperBound
            let segment = Segment(code: code, start: marker, body: body, end: offset)
            if code == 0xDA { hasScan = true }
            if !hasScan { note(segment, bytes) }
            segments.append(segment)
        }
    }

    private mutating func note(_ segment: Segment, _ bytes: Span<UInt8>) {
        let body = segment.body
        switch segment.code {
        case 0xC0, 0xC1, 0xC2:
            isSequential = segment.code != 0xC2
            components = body.count >= 6 ? Int(bytes[body.lowerBound + 5]) : 0
        case 0xE0 where body.count >= 14 && bytes.has("JFIF\0", at: body.lowerBound): jfif = jfif ?? segment.start
        case 0xE2: profile.add(segment, bytes)
        case 0xEE where body.count >= 12 && bytes.has("Adobe", at: body.lowerBound): adobe = segment.start
        default: break
        }
    }

    private func build(_ bytes: Span<UInt8>) -> StreamBuilder {
        var builder = StreamBuilder()
        builder.write([0xFF, 0xD8], orKeepAt: 0, in: bytes)
        let profile = profile.checked(bytes, for: components)
        builder.ignoresProfile = self.profile.isThere && profile == nil
        for segment in segments {
            switch segment.code {
            case 0xE0 where segment.start == jfif:
                builder.write(Self.jfif(segment.body, bytes), orKeepAt: segment.start, in: bytes)
            case 0xEE where segment.start == adobe:
                let transform = mended(bytes[segment.body.lowerBound + 11])
                let canonical = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]
                builder.write(canonical, orKeepAt: segment.start, in: bytes)
            case 0xE2 where segment.start == self.profile.place:
                for (chunk, place) in profile ?? [] { builder.write(chunk, orKeepAt: place, in: bytes) }
            case 0xDA: keep(scan: segment, in: bytes, &builder)
            case 0xC0...0xCF, 0xDB, 0xDD: builder.keep(segment.start..<segment.end)
            default: break
            }
        }
        if let end { builder.write([0xFF, 0xD9], orKeepAt: end, in: bytes) }
        return builder
    }

    /// JFIF version 1 without a thumbnail, and with the file's resolution where it is one.
    private static func jfif(_ body: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8] {
        let start = body.lowerBound
        let hasResolution =
            bytes[start + 7] <= 2 && bytes.bigEndian16(at: start + 8) != 0 && bytes.bigEndian16(at: start + 10) != 0
        let resolution = hasResolution ? (start + 7..<start + 12).map { bytes[$0] } : [0, 0, 1, 0, 1]
        let minor = bytes[start + 5] == 1 ? bytes[start + 6] : 1
        return [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, minor] + resolution + [0, 0]
    }

    /// libjpeg knows the transforms 0 and 1 of three components and takes every other for YCbCr; of four it knows 0 and
    /// 2 and takes every other for YCCK.
    private func mended(_ transform: UInt8) -> UInt8 {
        guard components >= 3, transform != 0 else { return transform }
        return components == 4 ? 2 : 1
    }

    /// A sequential scan has all coefficients, 0 to 63, in full, whatever its header says.
    private func keep(scan: Segment, in bytes: Span<UInt8>, _ builder: inout StreamBuilder) {
        guard isSequential, let count = bytes.byte(at: scan.body.lowerBound), scan.body.count == 4 + 2 * Int(count)
        else { return builder.keep(scan.start..<scan.end) }
        let spectrum = scan.body.upperBound - 3
        builder.keep(scan.start..<spectrum)
        builder.write([0, 63, 0], orKeepAt: spectrum, in: bytes)
        builder.keep(scan.body.upperBound..<scan.end)
    }
}
