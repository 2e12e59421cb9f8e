/// TIFFs of one or more pages: header, directories, values that do not fit, then the strips.
struct TiffBuilder {
    var isLittleEndian = true
    var isBig = false
    var width = 4
    var height = 3
    var samples = 1
    var bits = 8
    /// Tags added to, or put in the place of, those of a plain strip picture; SHORT or LONG by size.
    var extra: [Int: [Int]] = [:]
    var omitted: Set<Int> = []
    var stripBytes: Int?
    /// Where the next directory lies instead of nowhere; the directory's own offset makes a loop.
    var next = 0

    static let directoryOffset = 16

    private func number(_ value: Int, _ width: Int) -> [UInt8] {
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    var bytes: [UInt8] {
        let rowBytes = (width * samples * bits + 7) / 8
        let data = [UInt8](repeating: 7, count: stripBytes ?? min(rowBytes * height, 4_096))
        var fields: [Int: [Int]] = [
            256: [width], 257: [height], 258: [Int](repeating: bits, count: samples), 259: [1],
            262: [samples >= 3 ? 2 : 1], 273: [0], 277: [samples], 278: [height], 279: [data.count],
        ]
        for (tag, values) in extra { fields[tag] = values }
        for tag in omitted { fields[tag] = nil }
        let wide = isBig ? 8 : 4
        let tags = fields.keys.sorted()
        let end = Self.directoryOffset + (isBig ? 8 : 2) + tags.count * (isBig ? 20 : 12) + wide
        let outside = tags.reduce(0) { $0 + (fields[$1]!.count * 4 > wide ? fields[$1]!.count * 4 : 0) }
        if extra[273] == nil, fields[273] != nil { fields[273] = [end + outside] }

        var entries: [UInt8] = []
        var values: [UInt8] = []
        for tag in tags {
            let list = fields[tag]!
            let body = list.flatMap { number($0, 4) }
            entries += number(tag, 2) + number(4, 2) + number(list.count, wide)
            if body.count <= wide {
                entries += body + [UInt8](repeating: 0, count: wide - body.count)
            } else {
                entries += number(end + values.count, wide)
                values += body
            }
        }
        let order = ascii(isLittleEndian ? "II" : "MM")
        let header =
            isBig
            ? order + number(43, 2) + number(8, 2) + number(0, 2) + number(Self.directoryOffset, 8)
            : order + number(42, 2) + number(Self.directoryOffset, 4) + [UInt8](repeating: 0, count: 8)
        return header + number(tags.count, isBig ? 8 : 2) + entries + number(next, wide) + values + data
    }
}
