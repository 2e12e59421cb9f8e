internal import MediaProbe

/// Header bytes of a JPEG that make libjpeg warn although no pixel is affected, and what to write in their place.
///
/// Every warning fails the decode, because libjpeg warns of a grey bottom in the same way. Some cameras write headers
/// that it warns of on every photo: of its warnings three are about bytes that it then ignores
/// (JWRN_NOT_SEQUENTIAL, JWRN_JFIF_MAJOR and JWRN_ADOBE_XFORM in jerror.h).
enum JPEGHeader {
    struct Patch: Equatable {
        let offset: Int
        let value: UInt8
    }

    /// What to change so that a good picture decodes without a warning; empty for nearly every file.
    ///
    /// Only the headers in front of the entropy-coded data are read, and every scan's where there are several.
    static func patches(_ bytes: UnsafeRawBufferPointer) -> [Patch] {
        var patches: [Patch] = []
        var isSequential = false
        var components = 0
        var transforms: [Int] = []
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            guard marker != 0xFF else {
                at += 1
                continue
            }
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            guard marker != 0xD9, length >= 2, at + 2 + length <= bytes.count else { return patches }
            let body = at + 4..<at + 2 + length
            switch marker {
            case 0xC0, 0xC1, 0xC2:
                isSequential = marker != 0xC2
                components = body.count >= 6 ? Int(bytes[body.lowerBound + 5]) : 0
            case 0xE0 where body.count >= 14 && starts(bytes, body, "JFIF\0") && bytes[body.lowerBound + 5] != 1:
                patches.append(Patch(offset: body.lowerBound + 5, value: 1))
            case 0xEE where body.count >= 12 && starts(bytes, body, "Adobe"):
                transforms.append(body.lowerBound + 11)
            case 0xDA:
                // Which transforms are known depends on the components, and those come after them.
                patches += transforms.compactMap { transformPatch(at: $0, bytes, components: components) }
                transforms = []
                guard isSequential, body.count >= 1 else { return patches }
                let inScan = Int(bytes[body.lowerBound])
                guard body.count == 4 + 2 * inScan else { return patches }
                // A sequential scan has all coefficients, 0 to 63, in full.
                for (index, value) in [0, 63, 0].enumerated() {
                    let offset = body.upperBound - 3 + index
                    if bytes[offset] != value { patches.append(Patch(offset: offset, value: UInt8(value))) }
                }
                guard inScan < components else { return patches }
                at = Span(_unsafeBytes: bytes).nextJpegMarker(from: body.upperBound) ?? bytes.count
                continue
            default:
                break
            }
            at = body.upperBound
        }
        return patches
    }

    /// libjpeg knows the transforms 0 and 1 of three components and takes every other for YCbCr; of four it knows 0 and
    /// 2 and takes every other for YCCK.
    private static func transformPatch(
        at offset: Int, _ bytes: UnsafeRawBufferPointer, components: Int
    ) -> Patch? {
        guard components >= 3 else { return nil }
        let assumed: UInt8 = components == 4 ? 2 : 1
        return bytes[offset] == 0 || bytes[offset] == assumed ? nil : Patch(offset: offset, value: assumed)
    }

    private static func starts(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ text: String) -> Bool {
        bytes[range].starts(with: text.utf8)
    }
}
