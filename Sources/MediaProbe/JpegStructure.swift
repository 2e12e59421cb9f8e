internal import AttachmentRules

/// Walks the marker segments of a JPEG (ITU-T T.81, annex B) and the first picture of a multi-picture file.
struct JpegStructure {
    private let limits: Limits
    private var frame: JpegFrame?
    private var hasJfif = false
    private var adobeTransform: UInt8?
    private var segments = 0
    private var scans = 0
    private var applicationBytes = 0
    private var needsAllCoefficients = false
    private var isComplete = true
    private var exif: Range<Int>?
    private var stray: [Range<Int>] = []

    static func examine(_ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> MediaFacts {
        var structure = JpegStructure(limits: limits)
        let end = try structure.walk(bytes)
        return try structure.facts(end: end, fileBytes: bytes.count)
    }

    private init(limits: Limits) { self.limits = limits }

    /// Returns the offset after EOI, or nil when the file ends before it.
    private mutating func walk(_ bytes: Span<UInt8>) throws(Rejection) -> Int? {
        var offset = 2
        while let marker = bytes.nextJpegMarker(from: offset) {
            noteStray(bytes, offset..<marker)
            segments += 1
            guard segments <= limits.segments else {
                throw .tooManyParts("JPEG segments", limit: limits.segments)
            }
            let code = bytes[marker + 1]
            if code == 0xD9 { return marker + 2 }
            if code == 0x01 {
                offset = marker + 2
                continue
            }
            guard code >= 0xC0, code != 0xC8, code != 0xD8, !(0xF0...0xFD).contains(code) else {
                throw .malformed("The JPEG has a marker FF\(String(code, radix: 16, uppercase: true)) out of place")
            }
            guard let length = bytes.bigEndian16(at: marker + 2) else { return nil }
            guard length >= 2 else { throw .malformed("A segment of the JPEG is shorter than its own length field") }
            let body = marker + 4..<marker + 2 + length
            guard body.upperBound <= bytes.count else { return nil }
            offset = try read(code, bytes, body)
        }
        return nil
    }

    /// Reads one segment, for a scan with its entropy data, and returns where it ends.
    private mutating func read(_ code: UInt8, _ bytes: Span<UInt8>, _ body: Range<Int>) throws(Rejection) -> Int {
        switch code {
        case 0xC4, 0xCC, 0xDB, 0xDD: break
        case 0xC0...0xCF:
            guard frame == nil else { throw .malformed("The JPEG has two frame headers") }
            frame = try JpegFrame(marker: code, bytes, body: body)
        case 0xDA: return try readScan(bytes, body)
        case 0xDC: throw .unsupportedCoding("The JPEG gives its height only after the picture (DNL)")
        case 0xDE, 0xDF: throw .unsupportedCoding("The JPEG is hierarchical")
        case 0xE0...0xEF, 0xFE: try readApplication(code, bytes, body)
        default: throw .malformed("The JPEG has a reserved marker")
        }
        return body.upperBound
    }

    private mutating func readScan(_ bytes: Span<UInt8>, _ body: Range<Int>) throws(Rejection) -> Int {
        scans += 1
        guard scans <= limits.scans else {
            throw Rejection(
                .tooManyScans, rule: .doesNotDecode, stage: .probe,
                "The JPEG has more than \(limits.scans) scans, which is the limit; save the picture again.")
        }
        guard var frame else { throw .malformed("The JPEG has a scan before its frame header") }
        let scan = try JpegScan(bytes, body: body, frame: frame)
        if frame.isProgressive || scan.components.count < frame.components.count { needsAllCoefficients = true }

        let end = bytes.nextJpegMarker(from: body.upperBound) ?? bytes.count
        let entropyBits = (end - body.upperBound) * 8
        if entropyBits < scan.fewestBits(in: frame) { isComplete = false }
        if scan.spectralStart == 0 {
            for index in scan.components { frame.components[index].isCoded = true }
        }
        self.frame = frame
        return end
    }

    private mutating func readApplication(
        _ code: UInt8, _ bytes: Span<UInt8>, _ body: Range<Int>
    ) throws(Rejection) {
        applicationBytes += body.count
        guard applicationBytes <= limits.applicationBytes else {
            throw .metadataBomb("The JPEG's application segments take", limit: limits.applicationBytes)
        }
        let start = body.lowerBound
        switch code {
        case 0xE0 where body.count >= 14 && bytes.has("JFIF\0", at: start): hasJfif = true
        case 0xE1 where body.count > 14 && bytes.has("Exif\0", at: start) && exif == nil:
            exif = start + 6..<body.upperBound
        case 0xEE where body.count >= 12 && bytes.has("Adobe", at: start): adobeTransform = bytes[start + 11]
        default: break
        }
    }

    /// Fill bytes (any number of 0xFF) may stand before a marker; anything else belongs to nothing.
    private mutating func noteStray(_ bytes: Span<UInt8>, _ gap: Range<Int>) {
        var end = gap.upperBound
        while end - 8 >= gap.lowerBound, bytes.word64(at: end - 8) == .max { end -= 8 }
        while end > gap.lowerBound, bytes[end - 1] == 0xFF { end -= 1 }
        // One gap a segment, and those are limited.
        if end > gap.lowerBound { stray.append(gap.lowerBound..<end) }
    }

    private func facts(end: Int?, fileBytes: Int) throws(Rejection) -> MediaFacts {
        guard let frame else {
            if end == nil { throw .endsEarly(.jpeg, in: "header") }
            throw .malformed("The JPEG has no frame header")
        }
        let colorModel = frame.colorModel(hasJfif: hasJfif, adobeTransform: adobeTransform)
        var facts = MediaFacts(mediaType: .jpeg, width: frame.width, height: frame.height, colorModel: colorModel)
        facts.isInterlaced = frame.isProgressive
        facts.isComplete = isComplete && end != nil && frame.components.allSatisfy(\.isCoded)
        facts.workingMemory = WorkingMemory.jpeg(frame, keepsCoefficients: needsAllCoefficients)
        facts.exif = exif
        facts.hiddenBytes = stray
        if !stray.isEmpty {
            let total = stray.reduce(0) { $0 + $1.count }
            facts.notes.append(Note(.strayBytes, "\(total) bytes lie between the JPEG's segments; they were dropped."))
        }
        if let end { facts.noteTrailing(fileBytes - end) }
        return facts
    }
}

extension MediaFacts {
    /// Records bytes after the end of the picture.
    mutating func noteTrailing(_ count: Int) {
        guard count > 0 else { return }
        trailingBytes = count
        notes.append(Note(.trailingBytes, "\(count) bytes follow the end of the picture; they were dropped."))
    }
}
