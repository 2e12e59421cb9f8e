/// HEIFs with one or more items; the coded data is not decodable.
struct HeifBuilder {
    struct Item {
        var identifier: Int
        var type = "hvc1"
        var data: [UInt8] = [1, 2, 3, 4]
        /// One-based indices into the properties.
        var properties = [1, 2]
        var isHidden = false
    }

    var brands = ["heic", "mif1"]
    var primary = 1
    var items = [Item(identifier: 1)]
    var properties = [HeifBuilder.size(64, 48), HeifBuilder.hevc()]
    /// Reference type, from, to.
    var references: [(String, Int, [Int])] = []
    var tail: [UInt8] = []

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { big32(body.count + 8) + ascii(type) + body }
    static func fullBox(_ type: String, _ body: [UInt8], flags: UInt8 = 0, version: UInt8 = 0) -> [UInt8] {
        box(type, [version, 0, 0, flags] + body)
    }

    static func size(_ width: Int, _ height: Int) -> [UInt8] { fullBox("ispe", big32(width) + big32(height)) }

    /// `chroma`: 0 grey, 1 for 4:2:0.
    static func hevc(bits: UInt8 = 8, chroma: UInt8 = 1) -> [UInt8] {
        box("hvcC", [UInt8](repeating: 0, count: 16) + [0xFC | chroma, 0xF8 | (bits - 8), 0xF8, 0, 0, 0, 0])
    }

    /// `flags`: the third byte of the configuration (high bit depth, twelve bit, monochrome, subsampling).
    static func av1(flags: UInt8 = 0x0C) -> [UInt8] { box("av1C", [0x81, 0x04, flags, 0]) }

    static func crop(_ numbers: [Int]) -> [UInt8] { box("clap", numbers.flatMap(big32)) }
    static let alpha = fullBox("auxC", ascii("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"))

    static func grid(rows: UInt8, columns: UInt8, width: Int, height: Int) -> [UInt8] {
        [0, 0, rows - 1, columns - 1] + big16(width) + big16(height)
    }

    var bytes: [UInt8] {
        let fileType = Self.box("ftyp", ascii(brands[0]) + big32(0) + brands.flatMap(ascii))
        let metaSize = meta(dataStart: 0).count
        let data = Self.box("mdat", items.flatMap(\.data))
        return fileType + meta(dataStart: fileType.count + metaSize + 8) + data + tail
    }

    private func meta(dataStart: Int) -> [UInt8] {
        var start = dataStart
        var locations: [UInt8] = [0x44, 0x00] + big16(items.count)
        for item in items {
            locations += big16(item.identifier) + big16(0) + big16(1) + big32(start) + big32(item.data.count)
            start += item.data.count
        }
        let entries = items.flatMap {
            Self.fullBox(
                "infe", big16($0.identifier) + big16(0) + ascii($0.type) + [0], flags: $0.isHidden ? 1 : 0, version: 2)
        }
        let associations = items.flatMap {
            big16($0.identifier) + [UInt8($0.properties.count)] + $0.properties.map { UInt8($0) }
        }
        let links = references.flatMap { type, from, to in
            Self.box(type, big16(from) + big16(to.count) + to.flatMap(big16))
        }
        let properties = Self.box(
            "iprp",
            Self.box("ipco", self.properties.flatMap { $0 })
                + Self.fullBox("ipma", big32(items.count) + associations))
        return Self.fullBox(
            "meta",
            Self.fullBox("hdlr", big32(0) + ascii("pict") + [UInt8](repeating: 0, count: 13))
                + Self.fullBox("pitm", big16(primary)) + Self.fullBox("iinf", big16(items.count) + entries)
                + Self.fullBox("iloc", locations) + properties
                + (links.isEmpty ? [] : Self.fullBox("iref", links)))
    }

    static let heic = HeifBuilder().bytes
    static let avif = HeifBuilder(
        brands: ["avif", "mif1"], items: [Item(identifier: 1, type: "av01")], properties: [size(64, 48), av1()]
    ).bytes
}
