internal import AttachmentRules

/// Walks the chunks of a PNG or APNG.
struct PngStructure {
    /// The eight bytes that every PNG starts with.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let limits: Limits
    private let header: PngHeader
    private var hasPalette = false
    private var hasTransparency = false
    private var isAnimated = false
    private var frames = 0
    private var dataBytes = 0
    private var dataHasEnded = false
    private var exif: Range<Int>?
    private var metadata: PngMetadata
    private var isComplete = true

    /// True when an animation control chunk stands before the picture's data, which makes a PNG an APNG.
    static func isAnimated(_ bytes: Span<UInt8>) -> Bool {
        var offset = signature.count
        // As many chunks as the default limit allows; a walk refuses a file with more.
        for _ in 0..<Limits().chunks {
            guard let length = bytes.bigEndian32(at: offset), let name = bytes.fourCC(at: offset + 4),
                name != "IDAT", name != "IEND"
            else { return false }
            if name == "acTL" { return true }
            offset += 12 + length
        }
        return false
    }

    static func examine(_ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> MediaFacts {
        let start = signature.count
        guard let length = bytes.bigEndian32(at: start), let name = bytes.fourCC(at: start + 4) else {
            throw .endsEarly(.png, in: "header")
        }
        guard name != "CgBI" else { throw .unsupportedCoding("The PNG is in Apple's private variant (CgBI)") }
        guard name == "IHDR", length == 13 else { throw .malformed("The PNG does not start with its header") }
        guard bytes.count >= start + 12 + 13 else { throw .endsEarly(.png, in: "header") }
        let header = try PngHeader(bytes, body: start + 8..<start + 8 + 13)
        var structure = PngStructure(limits: limits, header: header)
        structure.checkSum(bytes, start + 4..<start + 8 + 13)
        let end = try structure.walk(bytes, from: start + 12 + 13)
        return try structure.facts(end: end, fileBytes: bytes.count)
    }

    private init(limits: Limits, header: PngHeader) {
        self.limits = limits
        self.header = header
        metadata = PngMetadata(limits: limits)
    }

    /// Returns the offset after IEND, or nil when the file ends before it.
    private mutating func walk(_ bytes: Span<UInt8>, from start: Int) throws(Rejection) -> Int? {
        var offset = start
        var chunks = 1
        while let length = bytes.bigEndian32(at: offset), let name = bytes.fourCC(at: offset + 4) {
            chunks += 1
            guard chunks <= limits.chunks else { throw .tooManyParts("PNG chunks", limit: limits.chunks) }
            let body = offset + 8..<offset + 8 + length
            guard body.upperBound + 4 <= bytes.count else { return nil }
            if name.isCritical {
                checkSum(bytes, offset + 4..<body.upperBound)
            } else if name != "fdAT" {
                let sum = Crc32.checksum(bytes, offset + 4..<body.upperBound)
                metadata.isDamaged = metadata.isDamaged || sum != bytes.storedSum(at: body.upperBound)
            }
            offset = body.upperBound + 4
            if name == "IEND" { return offset }
            try read(name, bytes, body)
        }
        return nil
    }

    private mutating func checkSum(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        if Crc32.checksum(bytes, range) != bytes.storedSum(at: range.upperBound) { isComplete = false }
    }

    private mutating func read(_ name: FourCC, _ bytes: Span<UInt8>, _ body: Range<Int>) throws(Rejection) {
        if name != "IDAT", dataBytes > 0 { dataHasEnded = true }
        switch name {
        case "IDAT":
            guard !dataHasEnded else { throw .malformed("The PNG's picture data is not in one piece") }
            guard header.colorType != 3 || hasPalette else {
                throw .malformed("The PNG has palette colours but no palette before its data")
            }
            dataBytes += body.count
        case "PLTE":
            guard dataBytes == 0, !hasPalette else { throw .malformed("The PNG has its palette in the wrong place") }
            guard body.count % 3 == 0, (3...768).contains(body.count) else {
                throw .malformed("The PNG's palette has \(body.count) bytes, which are not 1 to 256 colours")
            }
            hasPalette = true
        case "IHDR": throw .malformed("The PNG has two headers")
        case "tRNS": hasTransparency = hasTransparency || dataBytes == 0
        case "acTL": isAnimated = isAnimated || dataBytes == 0
        case "fcTL":
            frames += 1
            guard frames <= limits.frames else { throw .tooManyFrames(limit: limits.frames) }
        case "fdAT": break
        case "eXIf":
            try metadata.add(name, bytes, body)
            let prefix = bytes.has("Exif\0\0", at: body.lowerBound) ? 6 : 0
            if exif == nil, body.count > prefix { exif = body.lowerBound + prefix..<body.upperBound }
        default:
            guard !name.isCritical else {
                throw .unsupportedCoding("The PNG needs the chunk \(name.name)")
            }
            try metadata.add(name, bytes, body)
        }
    }

    private func facts(end: Int?, fileBytes: Int) throws(Rejection) -> MediaFacts {
        if end != nil, dataBytes == 0 { throw .malformed("The PNG has no picture data") }
        let type = isAnimated ? MediaType.apng : .png
        var facts = MediaFacts(
            mediaType: type, width: header.width, height: header.height, colorModel: header.colorModel)
        facts.frames = isAnimated ? max(1, frames) : 1
        facts.bitsPerComponent = header.depth
        facts.hasAlpha = header.hasAlphaChannel || hasTransparency
        facts.isInterlaced = header.isInterlaced
        // Deflate makes at most 258 bytes of two bits, 1,032 to 1: less data than that cannot hold the rows.
        let mostRaw = dataBytes.saturatingTimes(1_032)
        facts.isComplete = isComplete && end != nil && mostRaw >= header.rawBytes
        facts.workingMemory = WorkingMemory.png(
            width: header.width, height: header.height,
            bytesPerPixel: header.decodedBytesPerPixel(hasTransparency: hasTransparency),
            isInterlaced: header.isInterlaced)
        facts.exif = exif
        if metadata.isDamaged {
            facts.notes.append(
                Note(.damagedMetadata, "A chunk of the PNG that carries no pixels is damaged; it was ignored."))
        }
        if let end { facts.noteTrailing(fileBytes - end) }
        return facts
    }
}

extension FourCC {
    /// A PNG chunk whose first letter is a capital must be understood.
    fileprivate var isCritical: Bool { value & 0x2000_0000 == 0 }
}

extension Span<UInt8> {
    fileprivate func storedSum(at offset: Int) -> UInt32? {
        bigEndian32(at: offset).map { UInt32(truncatingIfNeeded: $0) }
    }
}
