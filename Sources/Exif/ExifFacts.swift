internal import CExif

/// What we want to know of an EXIF block, read with libexif.
public struct ExifFacts: Equatable, Sendable {
    /// 1 to 8; nil when there is no such tag or its value is none of the eight.
    public private(set) var orientation: Int?
    /// A place, not only a directory for one.
    public private(set) var hasGPS = false
    /// A make or a model.
    public private(set) var hasCamera = false
    /// When it was taken or changed.
    public private(set) var hasDate = false
    /// Any entry at all.
    public private(set) var hasEntries = false

    /// - Parameters:
    ///   - block: a TIFF structure; anything else gives no facts, never an error.
    public init(_ block: some Collection<UInt8>) {
        // libexif takes no more than one APP1 segment holds, and wants its signature in front.
        let bytes = Array("Exif\0\0".utf8) + block.prefix(65_527)
        guard let data = shim_exif_parse(bytes, CUnsignedInt(bytes.count)) else { return }
        defer { exif_data_unref(data) }
        hasEntries = shim_exif_count(data) > 0
        if let entry = shim_exif_entry(data, EXIF_IFD_0, EXIF_TAG_ORIENTATION) {
            let value = Int(shim_exif_short(data, entry))
            orientation = (1...8).contains(value) ? value : nil
        }
        // An empty GPS directory, or one with a version number only, tells no place.
        hasGPS = shim_exif_entry(data, EXIF_IFD_GPS, Self.latitude) != nil
        hasCamera =
            shim_exif_entry(data, EXIF_IFD_0, EXIF_TAG_MAKE) != nil
            || shim_exif_entry(data, EXIF_IFD_0, EXIF_TAG_MODEL) != nil
        hasDate =
            shim_exif_entry(data, EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_ORIGINAL) != nil
            || shim_exif_entry(data, EXIF_IFD_0, EXIF_TAG_DATE_TIME) != nil
    }

    /// GPSLatitude; libexif defines it as a bare number because it shares its value with another directory's tag.
    private static let latitude = ExifTag(2)
}
