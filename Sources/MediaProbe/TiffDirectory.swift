/// The byte order and the width of offsets that the first bytes of a TIFF declare.
struct TiffLayout {
    let isLittleEndian: Bool
    let isBig: Bool
    /// Where the first directory lies.
    let firstDirectory: UInt64

    /// Nil when the bytes do not start a TIFF 6.0 or BigTIFF file.
    init?(_ bytes: Span<UInt8>) {
        if bytes.has("II*\0", at: 0) {
            self.init(isLittleEndian: true, isBig: false, bytes)
        } else if bytes.has("MM\0*", at: 0) {
            self.init(isLittleEndian: false, isBig: false, bytes)
        } else if bytes.has("II+\0\u{8}\0\0\0", at: 0) {
            // BigTIFF says that its offsets have eight bytes, then zero.
            self.init(isLittleEndian: true, isBig: true, bytes)
        } else if bytes.has("MM\0+\0\u{8}\0\0", at: 0) {
            self.init(isLittleEndian: false, isBig: true, bytes)
        } else {
            return nil
        }
    }

    private init?(isLittleEndian: Bool, isBig: Bool, _ bytes: Span<UInt8>) {
        self.isLittleEndian = isLittleEndian
        self.isBig = isBig
        let offset = Self.number(isBig ? 8 : 4, at: isBig ? 8 : 4, isLittleEndian, bytes)
        guard let offset else { return nil }
        firstDirectory = offset
    }

    /// An unsigned number of 1, 2, 4 or 8 bytes.
    func number(_ width: Int, at offset: Int, _ bytes: Span<UInt8>) -> UInt64? {
        Self.number(width, at: offset, isLittleEndian, bytes)
    }

    private static func number(
        _ width: Int, at offset: Int, _ isLittleEndian: Bool, _ bytes: Span<UInt8>
    ) -> UInt64? {
        switch width {
        case 1: bytes.byte(at: offset).map { UInt64($0) }
        case 2: (isLittleEndian ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)).map { UInt64($0) }
        case 4: (isLittleEndian ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)).map { UInt64($0) }
        default: isLittleEndian ? bytes.littleEndian64(at: offset) : bytes.bigEndian64(at: offset)
        }
    }
}

/// One field of a directory: where its values lie, not the values.
struct TiffField {
    let tag: Int
    let count: Int
    /// Bytes of one value; 0 for a type that holds no whole numbers.
    let width: Int
    /// Where the first value lies.
    let offset: Int

    /// The value at `index`, or nil outside the field or the file.
    func value(_ index: Int, _ layout: TiffLayout, _ bytes: Span<UInt8>) -> Int? {
        guard width > 0, index >= 0, index < count else { return nil }
        let position = offset.saturatingPlus(index.saturatingTimes(width))
        return layout.number(width, at: position, bytes).map { Int(clamping: $0) }
    }
}

/// One image file directory, held as a place in the file: a lookup walks its entries, so nothing is allocated.
struct TiffDirectory {
    let layout: TiffLayout
    private let entries: Int
    private let count: Int
    /// Offset of the next directory, 0 at the end of the chain; nil when the file ends before it.
    let next: UInt64?

    /// Nil when the directory does not lie inside the file.
    init?(_ layout: TiffLayout, at offset: UInt64, _ bytes: Span<UInt8>) {
        guard let start = Int(exactly: offset), start >= 8, start < bytes.count,
            let count = layout.number(layout.isBig ? 8 : 2, at: start, bytes),
            // libtiff's own bound for the 64-bit count of BigTIFF.
            count > 0, count <= 0xFFFF
        else { return nil }
        self.layout = layout
        self.count = Int(count)
        entries = start + (layout.isBig ? 8 : 2)
        let end = entries + self.count * (layout.isBig ? 20 : 12)
        guard end <= bytes.count else { return nil }
        next = layout.number(layout.isBig ? 8 : 4, at: end, bytes)
    }

    /// The first field with this tag.
    func field(_ tag: Int, _ bytes: Span<UInt8>) -> TiffField? {
        let size = layout.isBig ? 20 : 12
        for index in 0..<count {
            let entry = entries + index * size
            guard layout.number(2, at: entry, bytes) == UInt64(tag) else { continue }
            return field(at: entry, tag, bytes)
        }
        return nil
    }

    private func field(at entry: Int, _ tag: Int, _ bytes: Span<UInt8>) -> TiffField? {
        let wide = layout.isBig ? 8 : 4
        guard let type = layout.number(2, at: entry + 2, bytes),
            let count = layout.number(wide, at: entry + 4, bytes).map({ Int(clamping: $0) })
        else { return nil }
        // BYTE, SHORT, LONG, their signed forms, IFD and the 64-bit ones hold whole numbers.
        let (width, size) =
            switch type {
            case 1, 6, 7: (1, 1)
            case 2: (0, 1)
            case 3, 8: (2, 2)
            case 4, 9, 13: (4, 4)
            case 16, 17, 18: (8, 8)
            case 5, 10, 12: (0, 8)
            default: (0, 4)
            }
        let inline = entry + 4 + wide
        guard count.saturatingTimes(size) > wide else {
            return TiffField(tag: tag, count: count, width: width, offset: inline)
        }
        let offset = layout.number(wide, at: inline, bytes).map { Int(clamping: $0) } ?? .max
        return TiffField(tag: tag, count: count, width: width, offset: offset)
    }

    /// The first value of a field.
    func value(_ tag: Int, _ bytes: Span<UInt8>) -> Int? {
        field(tag, bytes)?.value(0, layout, bytes)
    }
}

/// The tags that are looked at (TIFF 6.0, section 8, and its supplements).
enum TiffTag {
    static let imageWidth = 256
    static let imageLength = 257
    static let bitsPerSample = 258
    static let compression = 259
    static let photometric = 262
    static let stripOffsets = 273
    static let orientation = 274
    static let samplesPerPixel = 277
    static let rowsPerStrip = 278
    static let stripByteCounts = 279
    static let planarConfiguration = 284
    static let tileWidth = 322
    static let tileLength = 323
    static let tileOffsets = 324
    static let tileByteCounts = 325
    static let subDirectories = 330
    static let sampleFormat = 339
    static let dngVersion = 50706
}
