public import AttachmentRules

/// A picture as whoever shows it sees it.
public struct UprightSize: Equatable, Sendable {
    /// In pixels, turned upright.
    public let width: Int
    /// In pixels, turned upright.
    public let height: Int
    /// How the stored picture is turned for it, as an EXIF orientation, 1 to 8.
    public let orientation: Int

    /// - Parameters:
    ///   - width: as stored, in pixels.
    ///   - height: as stored, in pixels.
    ///   - orientation: what is none counts as upright.
    init(storedWidth width: Int, height: Int, orientation: Int) {
        self.orientation = (1...8).contains(orientation) ? orientation : 1
        (self.width, self.height) = self.orientation >= 5 ? (height, width) : (width, height)
    }
}

extension MediaProbe {
    /// How a picture is turned and how large it is then: by its EXIF block, a TIFF's own directory, or the crop and the
    /// rotation that a HEIF container has.
    ///
    /// For an estimate. Whoever decodes asks an EXIF reader, which also understands what is broken.
    ///
    /// - Parameter facts: what `examine` found in these bytes.
    public static func upright(_ bytes: Span<UInt8>, facts: MediaFacts, limits: Limits) -> UprightSize {
        let found: Int?
        switch facts.mediaType {
        case .heic, .heif, .avif:
            if let size = HeifStructure.upright(bytes, as: facts.mediaType, limits: limits) { return size }
            found = nil
        case .tiff: found = directoryTag(bytes)
        default:
            let block = facts.exif.flatMap { 0 <= $0.lowerBound && $0.upperBound <= bytes.count ? $0 : nil }
            found = block.flatMap { directoryTag(bytes.extracting($0)) }
        }
        return UprightSize(storedWidth: facts.width, height: facts.height, orientation: found ?? 1)
    }

    private static func directoryTag(_ bytes: Span<UInt8>) -> Int? {
        guard let layout = TiffLayout(bytes), let directory = TiffDirectory(layout, at: layout.firstDirectory, bytes)
        else { return nil }
        return directory.value(TiffTag.orientation, bytes)
    }
}
