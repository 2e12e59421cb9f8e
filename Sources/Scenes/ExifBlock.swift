/// A small EXIF block (a little-endian TIFF structure) with an invented camera, as a phone writes it.
public struct ExifBlock: Sendable {
    /// 1 to 8; 0 leaves the tag out.
    public var orientation: Int
    /// Make, model and date of a camera that does not exist.
    public var hasCamera: Bool
    /// A place: 52 degrees 30' north, 13 degrees 24' east.
    public var hasGPS: Bool

    public init(orientation: Int, hasCamera: Bool = false, hasGPS: Bool = false) {
        self.orientation = orientation
        self.hasCamera = hasCamera
        self.hasGPS = hasGPS
    }

    /// The TIFF structure, without the `Exif\0\0` that JPEG puts in front.
    public var bytes: [UInt8] {
        var directory = Directory(start: 8)
        if hasCamera {
            directory.add(0x010F, ascii: "Lumen Works")
            directory.add(0x0110, ascii: "Pocket One")
        }
        if orientation > 0 { directory.add(0x0112, short: orientation) }
        if hasCamera { directory.add(0x0132, ascii: "2024:06:01 18:20:00") }
        guard hasGPS else { return Self.header + directory.bytes }
        directory.add(0x8825, long: directory.end(withEntries: 1))
        var place = Directory(start: directory.end(withEntries: 0))
        place.add(0x0001, ascii: "N")
        place.add(0x0002, rationals: [(52, 1), (30, 1), (0, 1)])
        place.add(0x0003, ascii: "E")
        place.add(0x0004, rationals: [(13, 1), (24, 1), (0, 1)])
        return Self.header + directory.bytes + place.bytes
    }

    private static let header: [UInt8] = [0x49, 0x49, 0x2A, 0x00, 8, 0, 0, 0]

    /// One image file directory with its values behind it.
    private struct Directory {
        let start: Int
        private var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []

        init(start: Int) {
            self.start = start
        }

        mutating func add(_ tag: Int, ascii text: String) {
            entries.append((tag, 2, text.utf8.count + 1, Array(text.utf8) + [0]))
        }

        mutating func add(_ tag: Int, short value: Int) {
            entries.append((tag, 3, 1, littleEndian(value, 2)))
        }

        mutating func add(_ tag: Int, long value: Int) {
            entries.append((tag, 4, 1, littleEndian(value, 4)))
        }

        mutating func add(_ tag: Int, rationals: [(Int, Int)]) {
            let values = rationals.flatMap { littleEndian($0.0, 4) + littleEndian($0.1, 4) }
            entries.append((tag, 5, rationals.count, values))
        }

        /// Where the structure ends once that many more four-byte entries are added.
        func end(withEntries more: Int) -> Int {
            start + 2 + (entries.count + more) * 12 + 4 + entries.map { outside($0.value).count }.reduce(0, +)
        }

        var bytes: [UInt8] {
            var result = littleEndian(entries.count, 2)
            var values: [UInt8] = []
            let base = start + 2 + entries.count * 12 + 4
            for entry in entries {
                result += littleEndian(entry.tag, 2) + littleEndian(entry.type, 2) + littleEndian(entry.count, 4)
                if entry.value.count <= 4 {
                    result += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                } else {
                    result += littleEndian(base + values.count, 4)
                    values += outside(entry.value)
                }
            }
            return result + littleEndian(0, 4) + values
        }

        /// What of a value does not fit into its entry, padded to an even length.
        private func outside(_ value: [UInt8]) -> [UInt8] {
            value.count <= 4 ? [] : value + [UInt8](repeating: 0, count: value.count % 2)
        }
    }
}

/// The lowest bytes of a number, the lowest first.
func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// The lowest bytes of a number, the highest first.
func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    littleEndian(value, count).reversed()
}
