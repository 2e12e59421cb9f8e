/// Tells a camera's raw file, which is a TIFF by its first bytes, from an ordinary TIFF, by positive evidence only.
enum TiffRaw {
    /// A colour filter array and the linear form of one (TIFF/EP, DNG).
    private static let rawPhotometrics = [32_803, 34_892]
    /// Compressions that only raw files use: Sony, Kodak, Samsung, Nikon, Pentax.
    private static let rawCompressions = [32_767, 32_770, 34_713, 65_000, 65_535]

    static func isRaw(_ layout: TiffLayout, _ bytes: Span<UInt8>) -> Bool {
        if layout.isLittleEndian, bytes.has([0x43, 0x52, 0x02], at: 8) { return true }
        guard let directory = TiffDirectory(layout, at: layout.firstDirectory, bytes) else { return false }
        if directory.field(TiffTag.dngVersion, bytes) != nil || holdsSensorData(directory, bytes) { return true }
        guard let children = directory.field(TiffTag.subDirectories, bytes) else { return false }
        // Nikon writes three; a pyramid of an ordinary TIFF has more, but none with sensor data.
        return (0..<min(children.count, 8)).contains { index in
            guard let offset = children.value(index, layout, bytes),
                let child = TiffDirectory(layout, at: UInt64(offset), bytes)
            else { return false }
            return holdsSensorData(child, bytes)
        }
    }

    private static func holdsSensorData(_ directory: TiffDirectory, _ bytes: Span<UInt8>) -> Bool {
        directory.value(TiffTag.photometric, bytes).map(rawPhotometrics.contains) ?? false
            || directory.value(TiffTag.compression, bytes).map(rawCompressions.contains) ?? false
    }
}
