internal import AttachmentRules

/// Whether a film's data lie in other files or at other addresses (ISO/IEC 14496-12, 8.7.2; QuickTime's `rmra`).
///
/// libavformat, which follows none, reads what lies at those offsets in this file instead: what was decoded here would not
/// be what a phone shows, and a phone that did follow one would tell a stranger that it has shown it.
enum ClipReferences {
    static func leadOut(of bytes: Span<UInt8>, as type: MediaType) -> Bool {
        guard [.mp4, .m4a, .m4v, .quickTime, .threeGPP, .threeGPP2].contains(type) else { return false }
        return any(bytes, 0..<bytes.count, ["moov"]) { movie in
            // A compressed header has tables of its own, which are not looked at.
            any(bytes, movie, ["rmra"]) { _ in true } || any(bytes, movie, ["cmov"]) { _ in true }
                || any(bytes, movie, ["trak", "mdia", "minf", "dinf", "dref"]) { table in
                    // After version, flags and the number of entries.
                    table.count > 8
                        && any(bytes, table.lowerBound + 8..<table.upperBound, [nil]) { isOutside(bytes, $0) }
                }
        }
    }

    /// Whether `test` holds for the body of any box at a path below `range`, where nil stands for every name.
    private static func any(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ path: ArraySlice<FourCC?>, _ test: (Range<Int>) -> Bool
    ) -> Bool {
        guard let name = path.first else { return test(range) }
        var offset = range.lowerBound
        while case .box(let box) = IsoBox.read(bytes, at: offset, end: range.upperBound) {
            if name == nil || box.type == name, any(bytes, box.body, path.dropFirst(), test) { return true }
            offset = box.body.upperBound
        }
        return false
    }

    /// An entry without the flag for "in this file" and with something that says where else.
    private static func isOutside(_ bytes: Span<UInt8>, _ entry: Range<Int>) -> Bool {
        guard entry.count > 4, let flags = bytes.byte(at: entry.lowerBound + 3), flags & 1 == 0 else { return false }
        return (entry.lowerBound + 4..<entry.upperBound).contains { bytes.byte(at: $0) != 0 }
    }
}
