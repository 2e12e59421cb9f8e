internal import AttachmentRules

/// Walks the blocks of a GIF (GIF89a, appendix A).
struct GifStructure {
    private let limits: Limits
    /// The canvas: the logical screen, or more where the first frame reaches over it, as libvips decodes it.
    private var width: Int
    private var height: Int
    private var frames = 0
    /// The last frame that a decoder is to be shown, counted from 1.
    private let lastShown: Int
    /// Offset after that frame's data.
    private var shownEnd: Int?
    private var extensions = 0
    private var subBlocks = 0
    /// Whether the data of a frame that a decoder is to be shown end before it does.
    private var isShort = false
    private var pendingTransparency = false
    private var hasAlpha = false
    private var isInterlaced = false

    /// The most frames that libnsgif decodes; it refuses a file of more than 4,097.
    static let decodableFrames = 4_096

    static func examine(_ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> MediaFacts {
        try examine(bytes, limits: limits, lastShown: 1)
    }

    /// The facts, with the bytes of the frames after `lastShown` hidden.
    static func examine(_ bytes: Span<UInt8>, limits: Limits, lastShown: Int) throws(Rejection) -> MediaFacts {
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8),
            let flags = bytes.byte(at: 10)
        else { throw .endsEarly(.gif, in: "header") }
        guard width > 0, height > 0 else {
            throw .malformed("The GIF's canvas is \(width) x \(height) pixels")
        }
        var structure = GifStructure(limits: limits, width: width, height: height, lastShown: lastShown)
        let end = try structure.walk(bytes, from: 13 + colorTableBytes(flags))
        return try structure.facts(end: end, fileBytes: bytes.count)
    }

    private init(limits: Limits, width: Int, height: Int, lastShown: Int) {
        self.lastShown = lastShown
        self.limits = limits
        self.width = width
        self.height = height
    }

    private static func colorTableBytes(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// Returns the offset after the trailer, or nil when the file ends before it.
    private mutating func walk(_ bytes: Span<UInt8>, from start: Int) throws(Rejection) -> Int? {
        var offset: Int? = start
        while let block = offset, let introducer = bytes.byte(at: block) {
            switch introducer {
            case 0x3B: return block + 1
            case 0x21: offset = try skipExtension(bytes, from: block)
            case 0x2C: offset = try skipFrame(bytes, from: block)
            default:
                guard frames > 0 else { throw .malformed("The GIF has an unknown block before its first frame") }
                // A decoder stops here and keeps the frames it has; what follows is no GIF any more.
                return nil
            }
        }
        return nil
    }

    private mutating func skipExtension(_ bytes: Span<UInt8>, from block: Int) throws(Rejection) -> Int? {
        extensions += 1
        guard extensions <= limits.chunks else { throw .tooManyParts("GIF extensions", limit: limits.chunks) }
        if bytes.byte(at: block + 1) == 0xF9, let length = bytes.byte(at: block + 2), length >= 4,
            let flags = bytes.byte(at: block + 3)
        {
            pendingTransparency = flags & 1 != 0
        }
        return try skipSubBlocks(bytes, from: block + 2)
    }

    private mutating func skipFrame(_ bytes: Span<UInt8>, from block: Int) throws(Rejection) -> Int? {
        guard let right = bytes.littleEndian16(at: block + 1), let below = bytes.littleEndian16(at: block + 3),
            let frameWidth = bytes.littleEndian16(at: block + 5), let frameHeight = bytes.littleEndian16(at: block + 7),
            let flags = bytes.byte(at: block + 9)
        else { return nil }
        let data = block + 10 + Self.colorTableBytes(flags)
        guard let codeSize = bytes.byte(at: data) else { return nil }
        if frames == 0 {
            // LZW codes have at most 12 bits, and the first is one bit longer than the code size.
            guard codeSize < 12 else { throw .malformed("The GIF's first frame has LZW codes of \(codeSize) bits") }
            width = max(width, right + frameWidth)
            height = max(height, below + frameHeight)
            hasAlpha = pendingTransparency
            isInterlaced = flags & 0x40 != 0
        }
        pendingTransparency = false
        frames += 1
        guard frames <= limits.frames else { throw .tooManyFrames(limit: limits.frames) }
        let end = try skipSubBlocks(bytes, from: data + 1)
        if frames == lastShown { shownEnd = end }
        if frames <= lastShown, end != nil,
            !GifPixels.suffice(bytes, from: data, for: frameWidth * frameHeight)
        {
            isShort = true
        }
        return end
    }

    /// Returns the offset after the empty sub-block that ends the chain, or nil at the end of the file.
    private mutating func skipSubBlocks(_ bytes: Span<UInt8>, from start: Int) throws(Rejection) -> Int? {
        var offset = start
        var left = limits.subBlocks - subBlocks
        while let length = bytes.byte(at: offset) {
            offset += 1 + Int(length)
            if length == 0 {
                subBlocks = limits.subBlocks - left
                return offset
            }
            left -= 1
            guard left > 0 else { throw .tooManyParts("GIF sub-blocks", limit: limits.subBlocks) }
        }
        return nil
    }

    private func facts(end: Int?, fileBytes: Int) throws(Rejection) -> MediaFacts {
        if end != nil, frames == 0 { throw .malformed("The GIF has no frame") }
        var facts = MediaFacts(mediaType: .gif, width: width, height: height, colorModel: .palette)
        facts.frames = max(1, frames)
        facts.hasAlpha = hasAlpha
        facts.isInterlaced = isInterlaced
        facts.isComplete = end != nil && !isShort
        facts.workingMemory = WorkingMemory.gif(width: width, height: height)
        if let end {
            facts.noteTrailing(fileBytes - end)
            if frames > lastShown, let shownEnd { facts.hiddenBytes = [shownEnd..<end - 1] }
        }
        return facts
    }
}
