import Kernel

/// Whether files hold the same bytes.
enum FileComparison {
    /// True for two regular files of the same bytes; false where they are longer than `limit`.
    static func holdsSame(
        _ one: borrowing FileDescriptor, _ other: borrowing FileDescriptor, atMost limit: Int
    ) throws(Errno) -> Bool {
        let status = try one.status()
        let otherStatus = try other.status()
        guard status.kind == .regular, otherStatus.kind == .regular, status.size == otherStatus.size,
            status.size <= limit
        else { return false }
        while true {
            let piece = try one.readPiece()
            guard try other.readPiece() == piece else { return false }
            if piece.isEmpty { return true }
        }
    }

    /// True for a regular file that holds exactly these bytes.
    static func holds(_ bytes: Span<UInt8>, _ file: borrowing FileDescriptor) throws(Errno) -> Bool {
        let status = try file.status()
        guard status.kind == .regular, status.size == bytes.count else { return false }
        var position = 0
        while true {
            let piece = try file.readPiece()
            if piece.isEmpty { return position == bytes.count }
            guard position + piece.count <= bytes.count else { return false }
            for index in piece.indices where piece[index] != bytes[position + index] { return false }
            position += piece.count
        }
    }
}

extension FileDescriptor {
    /// 64 KiB, or what is left until the end.
    fileprivate func readPiece() throws(Errno) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        while count < piece.count {
            let more = try piece.withUnsafeMutableBufferPointer { (buffer) throws(Errno) in
                try read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]))
            }
            if more == 0 { break }
            count += more
        }
        return Array(piece[..<count])
    }
}
