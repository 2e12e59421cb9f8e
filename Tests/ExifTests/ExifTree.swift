/// An EXIF block whose parts lie where a test wants them, sound or not.
struct ExifTree {
    var isLittleEndian = true
    private(set) var bytes: [UInt8]

    init(isLittleEndian: Bool = true, size: Int = 400, first: Int = 8) {
        self.isLittleEndian = isLittleEndian
        bytes = [UInt8](repeating: 0, count: size)
        bytes.replaceSubrange(0..<4, with: isLittleEndian ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A])
        put(first, 4, at: 4)
    }

    /// Writes a directory; an entry's value is a number of its type, or an offset.
    mutating func directory(at start: Int, _ entries: [Entry], next: Int = 0) {
        put(entries.count, 2, at: start)
        for (index, entry) in entries.enumerated() {
            let place = start + 2 + 12 * index
            put(entry.tag, 2, at: place)
            put(entry.type, 2, at: place + 2)
            put(entry.count, 4, at: place + 4)
            put(entry.value, entry.type == 3 ? 2 : 4, at: place + 8)
        }
        put(next, 4, at: start + 2 + 12 * entries.count)
    }

    mutating func data(_ text: String, at start: Int) {
        bytes.replaceSubrange(start..<start + text.utf8.count, with: text.utf8)
    }

    private mutating func put(_ value: Int, _ width: Int, at start: Int) {
        for index in 0..<width {
            let shift = 8 * (isLittleEndian ? index : width - 1 - index)
            bytes[start + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        var value: Int

        static let orientation = Entry(tag: 0x0112, type: 3, count: 1, value: 6)
        static func make(at offset: Int) -> Entry { Entry(tag: 0x010F, type: 2, count: 6, value: offset) }
        static func exif(at offset: Int) -> Entry { Entry(tag: 0x8769, type: 4, count: 1, value: offset) }
        static func gps(at offset: Int) -> Entry { Entry(tag: 0x8825, type: 4, count: 1, value: offset) }
        static func interoperability(at offset: Int) -> Entry { Entry(tag: 0xA005, type: 4, count: 1, value: offset) }
        static let latitude = Entry(tag: 2, type: 5, count: 3, value: 8)
        static func note(_ count: Int, at offset: Int, type: Int = 7) -> Entry {
            Entry(tag: 0x927C, type: type, count: count, value: offset)
        }
    }
}
