internal import AttachmentRules

/// A HEIF whose Exif items have another type: libvips would give them to its own EXIF parser.
///
/// Nothing moves, because a HEIF is full of offsets into itself; an item of an unknown type is data that nobody reads.
enum HeifStream {
    static func rebuilt(_ bytes: Span<UInt8>, limits: Limits) -> StreamBuilder {
        var builder = StreamBuilder()
        var start = 0
        for offset in exifTypes(bytes, limits: limits).sorted() {
            builder.keep(start..<offset)
            builder.write(Array("skip".utf8), orKeepAt: offset, in: bytes)
            start = offset + 4
        }
        builder.keep(start..<bytes.count)
        return builder
    }

    /// Where the item entries say `Exif`.
    private static func exifTypes(_ bytes: Span<UInt8>, limits: Limits) -> [Int] {
        var offset = 0
        while case .box(let box) = IsoBox.read(bytes, at: offset, end: bytes.count) {
            if box.type == "meta" {
                var table = HeifItems(limits: limits)
                guard (try? table.read(box, bytes)) != nil else { return [] }
                return table.items.filter { $0.type == "Exif" }.map(\.typeOffset)
            }
            offset = box.body.upperBound
        }
        return []
    }
}
