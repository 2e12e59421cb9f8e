import Misbehaviour

/// A JPEG in its parts, each with its marker; a scan with its data.
struct JpegSegments {
    private var parts: [[UInt8]] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func next() -> Int {
            guard rest.count >= 4, rest.starts(with: [0xFF]) else { return rest.count }
            let code = rest[rest.startIndex + 1]
            if code == 0xD8 || code == 0xD9 { return 2 }
            var end = rest.startIndex + 2 + Int(rest[rest.startIndex + 2]) << 8 + Int(rest[rest.startIndex + 3])
            guard code == 0xDA else { return end - rest.startIndex }
            while end < rest.endIndex - 1, rest[end] != 0xFF || rest[end + 1] & 0xF8 == 0xD0 || rest[end + 1] == 0 {
                end += 1
            }
            return end - rest.startIndex
        }
        while !rest.isEmpty {
            let count = next()
            parts.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
    }

    var bytes: [UInt8] { Array(parts.joined()) }

    func without(_ codes: Set<UInt8>) -> [UInt8] {
        Array(parts.filter { !codes.contains($0[1]) }.joined())
    }

    func spoiled(by lie: Lie) -> [UInt8] {
        var copy = self
        switch lie {
        case .exif: copy.insert([0xFF, 0xE1, 0, 16] + Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0])
        case .comment: copy.insert([0xFF, 0xFE, 0, 8] + Array("secret".utf8))
        case .thumbnail:
            copy.parts.removeAll { $0[1] == 0xE0 }
            copy.insert([0xFF, 0xE0, 0, 19] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1, 7, 7, 7])
        case .strayBytes: copy.insert([7])
        case .trailingBytes: return bytes + [0]
        case .twelveBits: copy.change(0xC0) { $0[4] = 12 }
        case .sixteenBits: copy.change(0xC0) { $0[4] = 16 }
        case .fullChroma: copy.change(0xC0) { $0[11] = 0x11 }
        case .truncated: return Array(bytes.prefix(bytes.count / 2))
        case .halfScan: copy.change(0xDA) { $0.removeLast($0.count / 2) }
        case .noQuantization: return without([0xDB])
        case .noCodes: return without([0xC4])
        case .unreadableCodes:
            // As many symbols as before, all of them with codes of one bit.
            copy.change(0xC4) { table in
                let count = table[5..<21].reduce(0, +)
                table.replaceSubrange(5..<21, with: [count] + [UInt8](repeating: 0, count: 15))
            }
        default: fatalError("nothing to spoil: \(lie)")
        }
        return copy.bytes
    }

    /// Right after the start.
    private mutating func insert(_ part: [UInt8]) {
        parts.insert(part, at: 1)
    }

    private mutating func change(_ code: UInt8, _ change: (inout [UInt8]) -> Void) {
        guard let index = parts.firstIndex(where: { $0[1] == code }) else { fatalError("no segment \(code)") }
        change(&parts[index])
    }
}
