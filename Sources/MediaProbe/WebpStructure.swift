internal import AttachmentRules

/// Walks the RIFF chunks of a WebP (RFC 9649).
struct WebpStructure {
    private struct Sides: Equatable {
        var width: Int
        var height: Int
    }

    private let limits: Limits
    private var canvas: Sides?
    private var picture: Sides?
    private var hasAlpha = false
    private var isLossless = false
    private var isAnimated = false
    private var frames = 0
    private var exif: Range<Int>?
    private var isComplete = true

    static func examine(_ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> MediaFacts {
        guard let size = bytes.littleEndian32(at: 4) else { throw .endsEarly(.webp, in: "header") }
        var structure = WebpStructure(limits: limits)
        // The odd byte of padding is part of the file whether the RIFF length counts it or not.
        let claimed = 8 + size
        let end = claimed + (size & 1)
        if claimed > bytes.count { structure.isComplete = false }
        try structure.walk(bytes, to: min(claimed, bytes.count))
        return try structure.facts(trailing: max(0, bytes.count - end))
    }

    private init(limits: Limits) { self.limits = limits }

    private mutating func walk(_ bytes: Span<UInt8>, to end: Int) throws(Rejection) {
        var offset = 12
        var chunks = 0
        while offset < end {
            guard offset + 8 <= end, let name = bytes.fourCC(at: offset),
                let length = bytes.littleEndian32(at: offset + 4)
            else {
                isComplete = false
                return
            }
            chunks += 1
            guard chunks <= limits.chunks else { throw .tooManyParts("WebP chunks", limit: limits.chunks) }
            let body = offset + 8..<min(offset + 8 + length, end)
            if body.count < length { isComplete = false }
            try read(name, bytes, body, isFirst: chunks == 1)
            offset += 8 + length + (length & 1)
        }
    }

    private mutating func read(
        _ name: FourCC, _ bytes: Span<UInt8>, _ body: Range<Int>, isFirst: Bool
    ) throws(Rejection) {
        switch name {
        case "VP8X":
            guard isFirst, let width = bytes.littleEndian24(at: body.lowerBound + 4),
                let height = bytes.littleEndian24(at: body.lowerBound + 7), body.count >= 10
            else {
                if !isComplete { throw .endsEarly(.webp, in: "header") }
                throw .malformed("The WebP's extended header is in the wrong place or too short")
            }
            canvas = Sides(width: width + 1, height: height + 1)
            let flags = bytes[body.lowerBound]
            hasAlpha = flags & 0x10 != 0
            isAnimated = flags & 0x02 != 0
        case "VP8 ", "VP8L":
            guard picture == nil, isFirst || canvas != nil else { return }
            try readBitstream(name, bytes, body)
            if bytes.endsUnwritten(body) { isComplete = false }
        case "ALPH": hasAlpha = true
        case "ANMF":
            frames += 1
            guard frames <= limits.frames else { throw .tooManyFrames(limit: limits.frames) }
            if frames == 1 { readFrame(bytes, body) }
        case "EXIF":
            let prefix = bytes.has("Exif\0\0", at: body.lowerBound) ? 6 : 0
            if exif == nil, body.count > prefix { exif = body.lowerBound + prefix..<body.upperBound }
        default:
            guard !isFirst else { throw .malformed("The WebP starts with the chunk \(name.name), not a picture") }
        }
    }

    /// Reads the frame header of a lossy (RFC 6386, 9.1) or lossless (RFC 9649, 3.4) picture.
    private mutating func readBitstream(
        _ name: FourCC, _ bytes: Span<UInt8>, _ body: Range<Int>
    ) throws(Rejection) {
        let start = body.lowerBound
        if name == "VP8L" {
            guard body.count >= 5, let header = bytes.littleEndian32(at: start + 1) else {
                throw .endsEarly(.webp, in: "picture header")
            }
            guard bytes[start] == 0x2F, header >> 29 == 0 else {
                throw .malformed("The WebP's lossless picture has no valid header")
            }
            picture = Sides(width: header & 0x3FFF + 1, height: header >> 14 & 0x3FFF + 1)
            isLossless = true
            if canvas == nil { hasAlpha = header >> 28 & 1 == 1 }
            return
        }
        guard body.count >= 10, let tag = bytes.littleEndian24(at: start),
            let width = bytes.littleEndian16(at: start + 6), let height = bytes.littleEndian16(at: start + 8)
        else { throw .endsEarly(.webp, in: "picture header") }
        guard tag & 1 == 0, bytes.has([0x9D, 0x01, 0x2A], at: start + 3), width & 0x3FFF > 0, height & 0x3FFF > 0
        else { throw .malformed("The WebP's lossy picture has no valid key frame header") }
        picture = Sides(width: width & 0x3FFF, height: height & 0x3FFF)
        if tag >> 5 > body.count - 10 { isComplete = false }
    }

    /// The first animation frame says how it is coded in its first chunk (or, for alpha, its second).
    private mutating func readFrame(_ bytes: Span<UInt8>, _ body: Range<Int>) {
        let first = body.lowerBound + 16
        isLossless = first + 4 <= body.upperBound && bytes.has("VP8L", at: first)
        if first + 8 > body.upperBound || bytes.endsUnwritten(first..<body.upperBound) { isComplete = false }
    }

    private func facts(trailing: Int) throws(Rejection) -> MediaFacts {
        guard let sides = canvas ?? picture else {
            if !isComplete { throw .endsEarly(.webp, in: "header") }
            throw .malformed("The WebP has no picture")
        }
        if isAnimated, frames == 0, isComplete { throw .malformed("The WebP is animated but has no frame") }
        if !isAnimated {
            if picture == nil, isComplete { throw .malformed("The WebP has no picture") }
            if let canvas, let picture, canvas != picture {
                throw .malformed("The WebP's canvas and its picture differ in size")
            }
        }
        var facts = MediaFacts(
            mediaType: .webp, width: sides.width, height: sides.height, colorModel: isLossless ? .rgb : .ycbcr)
        facts.frames = isAnimated ? max(1, frames) : 1
        facts.hasAlpha = hasAlpha
        facts.isComplete = isComplete
        facts.workingMemory = WorkingMemory.webp(
            width: sides.width, height: sides.height, isLossless: isLossless, hasAlpha: hasAlpha,
            isAnimated: isAnimated)
        facts.exif = exif
        facts.noteTrailing(trailing)
        return facts
    }
}
