import Hashing
import Kernel

/// The name of the manifest that tells what became of an inbox name: another one for every name.
enum OutcomeName {
    /// Longest name that file systems take, in bytes.
    static let longestName = 255

    /// `NAME.json`; where that is too long, or where NAME ends like the form for that, a part of NAME, `-`, 32 digits
    /// of its SHA-256 and `.json`.
    static func manifest(for name: FilePath) -> FilePath {
        let plain = name.bytes + Array(".json".utf8)
        if plain.count <= longestName, !looksHashed(name) { return FilePath(bytes: plain) }
        let tail = "-\(Digest.hex(name.bytes.span).prefix(hashDigits)).json"
        return FilePath(bytes: shortened(name, toFit: longestName - tail.utf8.count) + Array(tail.utf8))
    }

    /// The first bytes of a name, cut where a character ends.
    static func shortened(_ name: FilePath, toFit limit: Int) -> [UInt8] {
        var end = min(name.bytes.count, limit)
        while end > 0, end < name.bytes.count, name.bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(name.bytes[..<end])
    }

    private static let hashDigits = 32

    private static func looksHashed(_ name: FilePath) -> Bool {
        let tail = name.bytes.suffix(hashDigits + 1)
        return tail.count == hashDigits + 1 && tail.first == UInt8(ascii: "-")
            && tail.dropFirst().allSatisfy(Array("0123456789abcdef".utf8).contains)
    }
}
