internal import AttachmentRules

/// Walks the boxes of a HEIF, HEIC or AVIF to its primary picture (ISO/IEC 23008-12).
struct HeifStructure {
    private struct Sides: Equatable {
        var width: Int
        var height: Int
    }

    private let type: MediaType
    private var table: HeifItems
    private var isComplete = true
    private var trailingBytes = 0

    static func examine(_ bytes: Span<UInt8>, as type: MediaType, limits: Limits) throws(Rejection) -> MediaFacts {
        var structure = HeifStructure(type: type, table: HeifItems(limits: limits))
        try structure.walk(bytes)
        return try structure.facts(bytes)
    }

    /// The picture as the container shows it, cropped (`clap`) and turned (`irot`); nil when the boxes cannot be read.
    static func upright(_ bytes: Span<UInt8>, as type: MediaType, limits: Limits) -> UprightSize? {
        var structure = HeifStructure(type: type, table: HeifItems(limits: limits))
        guard (try? structure.walk(bytes)) != nil, let identifier = structure.table.primary,
            let primary = structure.table[identifier], var sides = try? structure.sides(of: primary, bytes)
        else { return nil }
        if let body = structure.table.property("clap", of: primary),
            (try? structure.checkCrop(of: primary, sides, bytes)) != nil
        {
            var fields = FieldReader(body)
            let numbers = (0..<4).compactMap { _ in fields.take(4, bytes) }
            // To the nearest pixel, as libheif does.
            sides.width = max((numbers[0] + numbers[1] / 2) / numbers[1], 1)
            sides.height = max((numbers[2] + numbers[3] / 2) / numbers[3], 1)
        }
        let angle = structure.table.property("irot", of: primary).flatMap { bytes.byte(at: $0.lowerBound) } ?? 0
        // In the container quarters are counted the other way round.
        return UprightSize(storedWidth: sides.width, height: sides.height, orientation: [1, 8, 3, 6][Int(angle & 3)])
    }

    private init(type: MediaType, table: HeifItems) {
        self.type = type
        self.table = table
    }

    private mutating func walk(_ bytes: Span<UInt8>) throws(Rejection) {
        var offset = 0
        var meta: IsoBox?
        var hasMovie = false
        boxes: while offset < bytes.count {
            switch IsoBox.read(bytes, at: offset, end: bytes.count) {
            case .box(let box):
                try table.countBox()
                if box.type == "mini" { throw .unsupportedCoding("The HEIF is in the minimised form (mini box)") }
                if box.type == "meta" {
                    // Whoever decodes might take another than the one that was examined.
                    guard meta == nil else { throw .malformed("The HEIF has two meta boxes") }
                    meta = box
                }
                if box.type == "moov" { hasMovie = true }
                offset = box.body.upperBound
            case .pastEnd:
                guard meta != nil else { throw .endsEarly(type, in: "header") }
                isComplete = false
                break boxes
            case .none:
                trailingBytes = bytes.count - offset
                break boxes
            }
        }
        guard let meta else {
            if hasMovie { throw .unsupportedCoding("The HEIF is an image sequence without a still picture") }
            throw .malformed("The HEIF has no meta box")
        }
        try table.read(meta, bytes)
    }

    private mutating func facts(_ bytes: Span<UInt8>) throws(Rejection) -> MediaFacts {
        guard let identifier = table.primary, let primary = table[identifier] else {
            throw .malformed("The HEIF names no primary picture")
        }
        let tiles = try codedItems(of: primary, bytes, depth: 0)
        let coding = try self.coding(of: tiles[0], bytes)
        let sides = try self.sides(of: primary, bytes)
        try checkCrop(of: primary, sides, bytes)
        let alpha = alphaItem(of: identifier, bytes)
        for item in tiles + (alpha.map { [$0] } ?? []) where !item.hasData || isUnwritten(item, bytes) {
            isComplete = false
        }

        let model: MediaFacts.ColorModel = coding.halvesOfChroma == 0 ? .gray : .ycbcr
        var facts = MediaFacts(mediaType: type, width: sides.width, height: sides.height, colorModel: model)
        facts.frames = max(1, pictureCount(primary: identifier))
        facts.bitsPerComponent = coding.bits
        facts.hasAlpha = alpha != nil
        facts.isComplete = isComplete
        let tile = tiles[0].identifier == identifier ? nil : try self.sides(of: tiles[0], bytes)
        facts.workingMemory = WorkingMemory.heif(
            pixels: sides.width.saturatingTimes(sides.height),
            tilePixels: tile.map { $0.width.saturatingTimes($0.height) } ?? 0,
            bits: coding.bits, halvesOfChroma: coding.halvesOfChroma, hasAlpha: alpha != nil)
        facts.exif = exif(of: identifier, bytes)
        facts.noteTrailing(trailingBytes)
        return facts
    }

    /// True when the space of some of the item's bytes was reserved and never filled.
    private func isUnwritten(_ item: HeifItem, _ bytes: Span<UInt8>) -> Bool {
        for extent in item.extents where bytes.endsUnwritten(extent) { return true }
        return false
    }

    /// The coded items that a picture is made of: itself, or the tiles of a grid.
    private mutating func codedItems(
        of item: HeifItem, _ bytes: Span<UInt8>, depth: Int
    ) throws(Rejection) -> [HeifItem] {
        switch item.type {
        case "hvc1", "av01": return [item]
        case "iden":
            guard depth < 2, let input = item.inputs.first, let source = table[input] else {
                throw .malformed("The HEIF's picture is derived from an item that it does not have")
            }
            return try codedItems(of: source, bytes, depth: depth + 1)
        case "grid": return try gridTiles(item, bytes)
        default: throw .unsupportedCoding("The HEIF's picture is coded as \(item.type.name)")
        }
    }

    /// The tiles of a grid (ISO/IEC 23008-12, 6.6.2.3), whose output must be as large as the item says.
    private mutating func gridTiles(_ item: HeifItem, _ bytes: Span<UInt8>) throws(Rejection) -> [HeifItem] {
        var tiles: [HeifItem] = []
        for input in item.inputs {
            guard let tile = table[input] else {
                throw .malformed("The HEIF's grid names a tile that it does not have")
            }
            guard tile.type == "hvc1" || tile.type == "av01" else {
                throw .unsupportedCoding("The HEIF's tiles are coded as \(tile.type.name)")
            }
            tiles.append(tile)
        }
        guard !tiles.isEmpty else { throw .malformed("The HEIF's grid has no tiles") }
        guard item.hasData, let extent = item.extents.first else {
            isComplete = false
            return tiles
        }
        var fields = FieldReader(extent)
        guard fields.take(1, bytes) != nil, let flags = fields.take(1, bytes), let rows = fields.take(1, bytes),
            let columns = fields.take(1, bytes), let width = fields.take(flags & 1 == 0 ? 2 : 4, bytes),
            let height = fields.take(flags & 1 == 0 ? 2 : 4, bytes)
        else { throw .malformed("The HEIF's grid description is too short") }
        guard (rows + 1) * (columns + 1) == tiles.count else {
            throw .malformed("The HEIF's grid has \(tiles.count) tiles for \(columns + 1) x \(rows + 1) places")
        }
        guard try sides(of: item, bytes) == Sides(width: width, height: height) else {
            throw .malformed("The HEIF's grid and its picture differ in size")
        }
        return tiles
    }

    private func coding(of item: HeifItem, _ bytes: Span<UInt8>) throws(Rejection) -> HeifCoding {
        let coding =
            item.type == "hvc1"
            ? table.property("hvcC", of: item).flatMap { HeifCoding(hevcConfiguration: $0, bytes) }
            : table.property("av1C", of: item).flatMap { HeifCoding(av1Configuration: $0, bytes) }
        guard let coding else { throw .malformed("The HEIF's picture has no decoder configuration") }
        return coding
    }

    /// The stored sides of an item, before rotation and crop (`ispe`).
    private func sides(of item: HeifItem, _ bytes: Span<UInt8>) throws(Rejection) -> Sides {
        guard let body = table.property("ispe", of: item), body.count >= 12,
            let width = bytes.bigEndian32(at: body.lowerBound + 4),
            let height = bytes.bigEndian32(at: body.lowerBound + 8), width > 0, height > 0
        else { throw .malformed("The HEIF's picture has no size") }
        return Sides(width: width, height: height)
    }

    /// A clean aperture (`clap`) must be a part of the picture.
    private func checkCrop(of item: HeifItem, _ sides: Sides, _ bytes: Span<UInt8>) throws(Rejection) {
        guard let body = table.property("clap", of: item) else { return }
        var fields = FieldReader(body)
        var numbers: [Int] = []
        while numbers.count < 8, let number = fields.take(4, bytes) { numbers.append(number) }
        guard numbers.count == 8, numbers[1] > 0, numbers[3] > 0, numbers[5] > 0, numbers[7] > 0,
            numbers[0] > 0, numbers[2] > 0,
            numbers[0] <= sides.width.saturatingTimes(numbers[1]),
            numbers[2] <= sides.height.saturatingTimes(numbers[3])
        else { throw .malformed("The HEIF's crop (clap) is not a part of its picture") }
    }

    private func alphaItem(of identifier: Int, _ bytes: Span<UInt8>) -> HeifItem? {
        table.items.first { item in
            guard item.auxiliaryTo.contains(identifier), let body = table.property("auxC", of: item) else {
                return false
            }
            return bytes.has("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", at: body.lowerBound + 4)
                || bytes.has("urn:mpeg:hevc:2015:auxid:1", at: body.lowerBound + 4)
        }
    }

    /// Pictures that stand for themselves: no tiles, thumbnails, alpha planes or depth maps.
    private func pictureCount(primary: Int) -> Int {
        let pictures: [FourCC] = ["hvc1", "av01", "grid", "iden", "iovl"]
        return table.items.count(where: { item in
            pictures.contains(item.type) && !item.isThumbnail && item.auxiliaryTo.isEmpty && !item.isInput
                && (!item.isHidden || item.identifier == primary)
        })
    }

    /// The Exif item that describes the picture; a four-byte offset to its TIFF header comes first.
    private func exif(of identifier: Int, _ bytes: Span<UInt8>) -> Range<Int>? {
        let item = table.items.first { $0.type == "Exif" && $0.describes.contains(identifier) }
        guard let item, item.hasData, item.extents.count == 1, let extent = item.extents.first, extent.count > 12,
            let skipped = bytes.bigEndian32(at: extent.lowerBound), skipped < extent.count - 12
        else { return nil }
        var start = extent.lowerBound + 4 + skipped
        if bytes.has("Exif\0\0", at: start) { start += 6 }
        guard bytes.has("II*\0", at: start) || bytes.has([0x4D, 0x4D, 0, 0x2A], at: start), start < extent.upperBound
        else { return nil }
        return start..<extent.upperBound
    }
}
