/// A copy of an EXIF block for a reader that must not meet a MakerNote: makers write those as they please, and a parser
/// for each of them is where EXIF readers break.
struct ExifCopy {
    /// What one APP1 segment holds behind `Exif\0\0`; the reader takes no more.
    private static let mostBytes = 65_527
    /// Three times as many directory entries as such a block has room for: with more, directories overlap.
    private static let mostEntries = 16_384
    private static let makerNote = 0x927C
    /// Exif, GPS and interoperability directories.
    private static let pointers = [0x8769, 0x8825, 0xA005]

    private var bytes: [UInt8]
    private let isLittleEndian: Bool

    /// The block with every MakerNote zeroed, entry and data; empty when it is no EXIF block, or one whose directories
    /// overlap so that zeroing would not come to an end.
    static func withoutMakerNotes(_ source: Span<UInt8>, _ block: Range<Int>) -> [UInt8] {
        guard block.lowerBound >= 0, block.upperBound <= source.count,
            var copy = ExifCopy(source.array(block.prefix(mostBytes))), copy.blank()
        else { return [] }
        return copy.bytes
    }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x49, 0x49, 0x2A, 0): isLittleEndian = true
        case (0x4D, 0x4D, 0, 0x2A): isLittleEndian = false
        default: return nil
        }
        self.bytes = bytes
    }

    /// False when MakerNotes are still found after a few rounds: a zeroed entry can be part of another directory, which
    /// then says something else.
    private mutating func blank() -> Bool {
        for _ in 0..<4 {
            guard let directories = directories() else { return false }
            let notes = directories.flatMap(\.entries).filter(isMakerNote)
            if notes.isEmpty { return true }
            let data = notes.compactMap(data(of:))
            for entry in notes { zero(entry + 2..<entry + 12) }
            zero(data, except: directories)
        }
        return false
    }

    private struct Directory {
        let start: Int
        let count: Int

        var entries: [Int] { (0..<count).map { start + 2 + 12 * $0 } }
        var range: Range<Int> { start..<start + 2 + 12 * count }
    }

    /// Every directory that can be reached, each once; nil when they have more entries than a block has room for.
    private func directories() -> [Directory]? {
        var found: [Directory] = []
        var seen: Set<Int> = []
        var entries = 0
        var pending = [number(4, 4)]
        while let start = pending.popLast() {
            guard start <= bytes.count - 2, seen.insert(start).inserted else { continue }
            let claimed = number(start, 2)
            // Readers take the entries of a cut directory as far as they go.
            let directory = Directory(start: start, count: min(claimed, (bytes.count - start - 2) / 12))
            entries += directory.count + 1
            guard entries <= Self.mostEntries else { return nil }
            found.append(directory)
            for entry in directory.entries where Self.pointers.contains(number(entry, 2)) {
                pending.append(number(entry + 8, 4))
            }
            let next = directory.range.upperBound
            // A zero ends the chain, but as a pointer's value it is followed like any other.
            if next <= bytes.count - 4, number(next, 4) != 0 { pending.append(number(next, 4)) }
        }
        return found
    }

    /// True for one that is not zeroed yet.
    private func isMakerNote(_ entry: Int) -> Bool {
        number(entry, 2) == Self.makerNote && bytes[entry + 2..<entry + 12].contains { $0 != 0 }
    }

    /// Where the note's data lies; nil when it is in the entry itself, or runs past the block, where no reader follows.
    private func data(of entry: Int) -> Range<Int>? {
        let width =
            switch number(entry + 2, 2) {
            case 3, 8: 2
            case 4, 9, 11, 13: 4
            case 5, 10, 12: 8
            default: 1
            }
        let length = width * number(entry + 4, 4)
        let start = number(entry + 8, 4)
        return length > 4 && start + length <= bytes.count ? start..<start + length : nil
    }

    /// Zeroes ranges, but not the header and the directories: what those say must stay the same.
    private mutating func zero(_ ranges: [Range<Int>], except directories: [Directory]) {
        var isKept = [Bool](repeating: false, count: bytes.count)
        for index in 0..<8 { isKept[index] = true }
        for directory in directories {
            for index in directory.range.lowerBound..<min(directory.range.upperBound + 4, bytes.count) {
                isKept[index] = true
            }
        }
        // Each byte once, however many notes claim it.
        var done = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > done {
            for index in max(range.lowerBound, done)..<range.upperBound where !isKept[index] { bytes[index] = 0 }
            done = range.upperBound
        }
    }

    private mutating func zero(_ range: Range<Int>) {
        for index in range { bytes[index] = 0 }
    }

    /// A number of 2 or 4 bytes inside the block.
    private func number(_ offset: Int, _ width: Int) -> Int {
        (0..<width).reduce(0) { value, index in
            value << 8 | Int(bytes[offset + (isLittleEndian ? width - 1 - index : index)])
        }
    }
}
