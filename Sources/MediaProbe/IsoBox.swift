/// One box of an ISO base media file (ISO/IEC 14496-12, 4.2).
struct IsoBox {
    let type: FourCC
    /// What follows the size and the type.
    let body: Range<Int>

    enum Reading {
        case box(IsoBox)
        /// A box of this type begins here but runs past its container.
        case pastEnd(FourCC)
        /// These bytes are no box.
        case none
    }

    /// Reads the box at `offset` in a container that ends at `end`.
    static func read(_ bytes: Span<UInt8>, at offset: Int, end: Int) -> Reading {
        guard offset <= end - 8, let size = bytes.bigEndian32(at: offset), let type = bytes.fourCC(at: offset + 4),
            type.isPrintable
        else { return .none }
        var header = 8
        var length = size
        switch size {
        case 0: length = end - offset
        case 1:
            guard offset <= end - 16, let size = bytes.bigEndian64(at: offset + 8) else { return .pastEnd(type) }
            header = 16
            length = Int(clamping: size)
        default: break
        }
        guard length >= header else { return .none }
        guard length <= end - offset else { return .pastEnd(type) }
        return .box(IsoBox(type: type, body: offset + header..<offset + length))
    }

    /// The version of a full box, or nil when the body is too short for version and flags.
    func version(_ bytes: Span<UInt8>) -> UInt8? { body.count >= 4 ? bytes.byte(at: body.lowerBound) : nil }

    /// The body after version and flags.
    var fields: FieldReader { FieldReader(min(body.lowerBound + 4, body.upperBound)..<body.upperBound) }
}

/// Reads the big-endian fields of a box one after the other.
struct FieldReader {
    private(set) var offset: Int
    let end: Int

    init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    /// The next number of 0, 1, 2, 4 or 8 bytes; nil at the end of the box, or when it does not fit an `Int`.
    mutating func take(_ width: Int, _ bytes: Span<UInt8>) -> Int? {
        guard width <= end - offset else { return nil }
        defer { offset += width }
        switch width {
        case 0: return 0
        case 1: return bytes.byte(at: offset).map { Int($0) }
        case 2: return bytes.bigEndian16(at: offset)
        case 4: return bytes.bigEndian32(at: offset)
        case 8: return bytes.bigEndian64(at: offset).flatMap { Int(exactly: $0) }
        default: return nil
        }
    }
}
