/// Numbers, signatures and tags out of an ICC profile, each nil where the profile ends before it.
struct ICCReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func u16(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    func u32(_ offset: Int) -> Int? {
        guard let high = u16(offset), let low = u16(offset + 2) else { return nil }
        return high << 16 | low
    }

    /// A signed number with 16 fractional bits.
    func s15Fixed16(_ offset: Int) -> Double? {
        u32(offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    /// Four characters.
    func signature(_ offset: Int) -> String? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    /// Most tags; a real profile has about 20.
    private static let mostTags = 100

    /// True when the header is one of a profile that gives pixels a meaning, and every tag lies inside the profile.
    var isSound: Bool {
        guard signature(36) == "acsp", let size = u32(0), size >= 132, size <= bytes.count,
            ["scnr", "mntr", "prtr", "spac"].contains(signature(12)), ["XYZ ", "Lab "].contains(signature(20)),
            let count = u32(128), count <= Self.mostTags
        else { return false }
        return (0..<count).allSatisfy { index in
            guard let offset = u32(132 + 12 * index + 4), let length = u32(132 + 12 * index + 8) else { return false }
            return offset <= size && length <= size - offset
        }
    }

    /// Where a tag's data lies.
    func tag(_ name: String) -> Range<Int>? {
        guard let count = u32(128) else { return nil }
        for index in 0..<min(count, Self.mostTags) {
            let entry = 132 + index * 12
            guard let found = signature(entry), let offset = u32(entry + 4), let length = u32(entry + 8) else {
                return nil
            }
            guard found == name else { continue }
            guard length >= 8, offset + length <= bytes.count else { return nil }
            return offset..<offset + length
        }
        return nil
    }

    /// Three numbers of an `XYZ ` tag.
    func xyz(_ tag: Range<Int>) -> [Double]? {
        guard tag.count >= 20, signature(tag.lowerBound) == "XYZ " else { return nil }
        return [8, 12, 16].compactMap { s15Fixed16(tag.lowerBound + $0) }
    }

    /// The text of a `desc`, `mluc` or `text` tag without control characters; of several languages the first.
    func text(_ tag: Range<Int>) -> String? {
        let start = tag.lowerBound
        let text: String
        switch signature(start) {
        case "desc":
            guard let length = u32(start + 8), length > 0, 12 + length <= tag.count else { return nil }
            text = String(decoding: bytes[start + 12..<start + 12 + length], as: UTF8.self)
        case "mluc":
            guard let length = u32(start + 20), let offset = u32(start + 24), offset + length <= tag.count else {
                return nil
            }
            let units = stride(from: start + offset, to: start + offset + length - 1, by: 2).compactMap(u16)
            text = String(decoding: units.prefix(160).map { UInt16($0) }, as: UTF16.self)
        case "text":
            text = String(decoding: bytes[start + 8..<tag.upperBound].prefix(160), as: UTF8.self)
        default:
            return nil
        }
        let printable = text.unicodeScalars.filter { !$0.properties.isNoncharacterCodePoint && $0.value >= 32 }
        return printable.isEmpty ? nil : String(String.UnicodeScalarView(printable))
    }
}
