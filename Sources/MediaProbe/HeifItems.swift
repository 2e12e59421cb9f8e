internal import AttachmentRules

/// One item of a HEIF's `meta` box.
struct HeifItem {
    let identifier: Int
    let type: FourCC
    let isHidden: Bool
    /// Where the entry says its type.
    let typeOffset: Int
    /// Where the item's bytes lie in the file, in order.
    var extents: [Range<Int>] = []
    /// True when some of the bytes lie outside the file, or in a place that is not read here.
    var isOutside = false
    /// One-based indices into the properties.
    var properties: [Int] = []
    /// Items that this one is made from (`dimg`), in order.
    var inputs: [Int] = []
    /// The item whose thumbnail, alpha or depth this is.
    var isThumbnail = false
    var auxiliaryTo: [Int] = []
    var isInput = false
    var describes: [Int] = []

    /// True when all of the item's bytes are in the file.
    var hasData: Bool { !isOutside && extents.contains { !$0.isEmpty } }
}

/// One property of a HEIF's `ipco` box.
struct HeifProperty {
    let type: FourCC
    let body: Range<Int>
}

/// The tables of a HEIF's `meta` box (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3).
struct HeifItems {
    private let limits: Limits
    private(set) var items: [HeifItem] = []
    private(set) var properties: [HeifProperty] = []
    private(set) var primary: Int?
    private var indices: [Int: Int] = [:]
    private var boxes = 0
    private var extents = 0
    private var references = 0
    private var associations = 0

    init(limits: Limits) { self.limits = limits }

    subscript(identifier: Int) -> HeifItem? { indices[identifier].map { items[$0] } }

    /// Reads the tables; their order in the file is free, so they are found first.
    mutating func read(_ meta: IsoBox, _ bytes: Span<UInt8>) throws(Rejection) {
        let children = try self.children(of: meta.fields, bytes, in: "meta")
        func first(_ type: FourCC) -> IsoBox? { children.first { $0.type == type } }
        if let box = first("pitm") {
            var fields = box.fields
            primary = fields.take(box.version(bytes) == 0 ? 2 : 4, bytes)
        }
        if let box = first("iinf") { try readInformation(box, bytes) }
        if let box = first("iloc") { try readLocations(box, bytes, data: first("idat")?.body) }
        if let box = first("iref") { try readReferences(box, bytes) }
        guard let container = first("iprp") else { return }
        for box in try self.children(of: FieldReader(container.body), bytes, in: "iprp") {
            if box.type == "ipco", properties.isEmpty {
                properties = try self.children(of: FieldReader(box.body), bytes, in: "ipco")
                    .map { HeifProperty(type: $0.type, body: $0.body) }
            }
            if box.type == "ipma" { try readAssociations(box, bytes) }
        }
    }

    /// The boxes of a container; all boxes of the file together are limited.
    mutating func children(
        of container: FieldReader, _ bytes: Span<UInt8>, in name: String
    ) throws(Rejection) -> [IsoBox] {
        var found: [IsoBox] = []
        var offset = container.offset
        while offset < container.end {
            guard case .box(let box) = IsoBox.read(bytes, at: offset, end: container.end) else {
                throw .malformed("A box inside the HEIF's \(name) box runs past its end")
            }
            try countBox()
            found.append(box)
            offset = box.body.upperBound
        }
        return found
    }

    mutating func countBox() throws(Rejection) {
        boxes += 1
        guard boxes <= limits.chunks else { throw .tooManyParts("HEIF boxes", limit: limits.chunks) }
    }

    private mutating func readInformation(_ box: IsoBox, _ bytes: Span<UInt8>) throws(Rejection) {
        var fields = box.fields
        guard fields.take(box.version(bytes) == 0 ? 2 : 4, bytes) != nil else { throw Self.short("iinf") }
        for entry in try children(of: fields, bytes, in: "iinf") where entry.type == "infe" {
            guard let version = entry.version(bytes), version == 2 || version == 3 else { continue }
            var fields = entry.fields
            guard let identifier = fields.take(version == 2 ? 2 : 4, bytes), fields.take(2, bytes) != nil,
                let type = fields.take(4, bytes)
            else { throw Self.short("infe") }
            let typeOffset = fields.offset - 4
            guard items.count < limits.items else { throw .tooManyParts("HEIF items", limit: limits.items) }
            guard indices[identifier] == nil else { throw .malformed("The HEIF has two items \(identifier)") }
            indices[identifier] = items.count
            let isHidden = bytes.byte(at: entry.body.lowerBound + 3).map { $0 & 1 == 1 } ?? false
            items.append(
                HeifItem(
                    identifier: identifier, type: FourCC(UInt32(truncatingIfNeeded: type)), isHidden: isHidden,
                    typeOffset: typeOffset))
        }
    }

    private mutating func readLocations(
        _ box: IsoBox, _ bytes: Span<UInt8>, data: Range<Int>?
    ) throws(Rejection) {
        var fields = box.fields
        guard let version = box.version(bytes), version <= 2, let sizes = fields.take(2, bytes),
            let count = fields.take(version == 2 ? 4 : 2, bytes)
        else { throw Self.short("iloc") }
        guard count <= limits.items else { throw .tooManyParts("HEIF items", limit: limits.items) }
        let offsetSize = sizes >> 12
        let lengthSize = sizes >> 8 & 15
        let baseSize = sizes >> 4 & 15
        let indexSize = version == 0 ? 0 : sizes & 15
        for _ in 0..<count {
            guard let identifier = fields.take(version == 2 ? 4 : 2, bytes),
                let method = version == 0 ? 0 : fields.take(2, bytes).map({ $0 & 15 }),
                let source = fields.take(2, bytes), let base = fields.take(baseSize, bytes),
                let extentCount = fields.take(2, bytes)
            else { throw Self.short("iloc") }
            // 0 is the file, 1 the idat box; other items and other files are not followed.
            let container = method == 0 ? 0..<bytes.count : method == 1 ? data : nil
            for _ in 0..<extentCount {
                extents += 1
                guard extents <= limits.chunks else { throw .tooManyParts("HEIF extents", limit: limits.chunks) }
                guard fields.take(indexSize, bytes) != nil, let offset = fields.take(offsetSize, bytes),
                    let length = fields.take(lengthSize, bytes)
                else { throw Self.short("iloc") }
                guard let index = indices[identifier] else { continue }
                let start = base.saturatingPlus(offset)
                guard source == 0, let container, start <= container.count, length <= container.count - start else {
                    items[index].isOutside = true
                    continue
                }
                // A length of zero means the rest of the container.
                let end = length == 0 ? container.count : start + length
                items[index].extents.append(container.lowerBound + start..<container.lowerBound + end)
            }
        }
    }

    private mutating func readReferences(_ box: IsoBox, _ bytes: Span<UInt8>) throws(Rejection) {
        let width = box.version(bytes) == 0 ? 2 : 4
        for entry in try children(of: box.fields, bytes, in: "iref") {
            var fields = FieldReader(entry.body)
            guard let from = fields.take(width, bytes), let count = fields.take(2, bytes) else {
                throw Self.short("iref")
            }
            for _ in 0..<count {
                references += 1
                guard references <= limits.chunks else {
                    throw .tooManyParts("HEIF references", limit: limits.chunks)
                }
                guard let to = fields.take(width, bytes) else { throw Self.short("iref") }
                guard let index = indices[from] else { continue }
                switch entry.type {
                case "dimg":
                    items[index].inputs.append(to)
                    if let input = indices[to] { items[input].isInput = true }
                case "thmb": items[index].isThumbnail = true
                case "auxl": items[index].auxiliaryTo.append(to)
                case "cdsc": items[index].describes.append(to)
                default: break
                }
            }
        }
    }

    private mutating func readAssociations(_ box: IsoBox, _ bytes: Span<UInt8>) throws(Rejection) {
        var fields = box.fields
        guard let version = box.version(bytes), let flags = bytes.byte(at: box.body.lowerBound + 3),
            let count = fields.take(4, bytes)
        else { throw Self.short("ipma") }
        guard count <= limits.items else { throw .tooManyParts("HEIF items", limit: limits.items) }
        let isWide = flags & 1 == 1
        for _ in 0..<count {
            guard let identifier = fields.take(version == 0 ? 2 : 4, bytes), let entries = fields.take(1, bytes)
            else { throw Self.short("ipma") }
            for _ in 0..<entries {
                associations += 1
                guard associations <= limits.chunks else {
                    throw .tooManyParts("HEIF property associations", limit: limits.chunks)
                }
                guard let value = fields.take(isWide ? 2 : 1, bytes) else { throw Self.short("ipma") }
                // The highest bit says "essential".
                guard let index = indices[identifier] else { continue }
                items[index].properties.append(value & (isWide ? 0x7FFF : 0x7F))
            }
        }
    }

    private static func short(_ box: String) -> Rejection {
        .malformed("The HEIF's \(box) box ends before its own entries do")
    }

    /// The body of an item's first property of this type.
    func property(_ type: FourCC, of item: HeifItem) -> Range<Int>? {
        for index in item.properties where index > 0 && index <= properties.count {
            if properties[index - 1].type == type { return properties[index - 1].body }
        }
        return nil
    }
}
