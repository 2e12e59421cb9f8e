internal import AttachmentRules

/// Adds up what the chunks beside the picture cost.
struct PngMetadata {
    private let limits: Limits
    private var ancillaryBytes = 0
    private var applicationBytes = 0
    private var budget: InflateBudget
    /// A wrong checksum or a stream that does not inflate; a decoder drops such a chunk.
    var isDamaged = false

    init(limits: Limits) {
        self.limits = limits
        budget = InflateBudget(bytes: limits.inflatedBytes)
    }

    mutating func add(_ name: FourCC, _ bytes: Span<UInt8>, _ body: Range<Int>) throws(Rejection) {
        switch name {
        case "iCCP", "eXIf", "iTXt", "caBX":
            // Profiles, Exif, XMP and provenance are as large in honest files as in a JPEG's segments.
            applicationBytes += body.count
            guard applicationBytes <= limits.applicationBytes else {
                throw .metadataBomb("The PNG's profile and metadata chunks take", limit: limits.applicationBytes)
            }
        default:
            ancillaryBytes += body.count
            guard ancillaryBytes <= limits.ancillaryBytes else {
                throw .metadataBomb("The PNG's ancillary chunks take", limit: limits.ancillaryBytes)
            }
        }
        switch name {
        case "iCCP", "zTXt":
            guard let keyword = Self.end(ofTextIn: bytes, body), keyword < body.upperBound, bytes[keyword] == 0 else {
                isDamaged = true
                return
            }
            try inflate(bytes, keyword + 1..<body.upperBound)
        case "iTXt":
            guard let keyword = Self.end(ofTextIn: bytes, body), keyword + 2 <= body.upperBound else {
                isDamaged = true
                return
            }
            guard bytes[keyword] == 1 else { return }
            guard let language = Self.end(ofTextIn: bytes, keyword + 2..<body.upperBound),
                let translation = Self.end(ofTextIn: bytes, language..<body.upperBound)
            else {
                isDamaged = true
                return
            }
            try inflate(bytes, translation..<body.upperBound)
        default: break
        }
    }

    /// The offset after the zero that ends a keyword (at most 79 bytes, its translation some more).
    private static func end(ofTextIn bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var offset = range.lowerBound
        while offset < min(range.upperBound, range.lowerBound + 1_024) {
            offset += 1
            if bytes[offset - 1] == 0 { return offset }
        }
        return nil
    }

    private mutating func inflate(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Rejection) {
        switch InflateCounter.outcome(of: bytes, in: range, budget: &budget) {
        case .size: break
        case .corrupt: isDamaged = true
        case .exceedsBudget:
            throw .metadataBomb("The PNG's compressed profile and texts inflate to", limit: limits.inflatedBytes)
        }
    }
}
