public import AttachmentRules

extension MediaProbe {
    /// How a picture is to be turned, as an EXIF orientation: from the EXIF block, a TIFF's own directory, or the rotation
    /// that a HEIF container has. 1 where nothing is said, and for a value that is none.
    ///
    /// For an estimate. Whoever decodes asks an EXIF reader, which also understands what is broken.
    ///
    /// - Parameter facts: what `examine` found in these bytes.
    public static func orientation(of bytes: Span<UInt8>, facts: MediaFacts, limits: Limits) -> Int {
        let found: Int?
        switch facts.mediaType {
        case .heic, .heif, .avif: found = HeifStructure.orientation(bytes, as: facts.mediaType, limits: limits)
        case .tiff: found = directoryTag(bytes)
        default:
            let block = facts.exif.flatMap { 0 <= $0.lowerBound && $0.upperBound <= bytes.count ? $0 : nil }
            found = block.flatMap { directoryTag(bytes.extracting($0)) }
        }
        guard let found, (1...8).contains(found) else { return 1 }
        return found
    }

    private static func directoryTag(_ bytes: Span<UInt8>) -> Int? {
        guard let layout = TiffLayout(bytes), let directory = TiffDirectory(layout, at: layout.firstDirectory, bytes)
        else { return nil }
        return directory.value(TiffTag.orientation, bytes)
    }
}
