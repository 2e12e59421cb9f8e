/// Puts a stream together from parts of a file and from new bytes.
struct StreamBuilder {
    private(set) var pieces: [DecoderStream.Piece] = []
    /// True when the file had a colour profile that is not in the stream.
    var ignoresProfile = false

    init() {}

    /// The whole file but for these ranges, which are in order and do not overlap.
    init(of bytes: Span<UInt8>, without hidden: [Range<Int>]) {
        var start = 0
        for range in hidden {
            keep(start..<range.lowerBound)
            start = range.upperBound
        }
        keep(start..<bytes.count)
    }

    /// Adds a part of the file; neighbours become one piece, so that an unchanged file is a single one.
    mutating func keep(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if case .source(let last) = pieces.last, last.upperBound == range.lowerBound {
            pieces[pieces.count - 1] = .source(last.lowerBound..<range.upperBound)
        } else {
            pieces.append(.source(range))
        }
    }

    /// Adds these bytes: as a part of the file when it has the same ones at `place`.
    mutating func write(_ new: [UInt8], orKeepAt place: Int, in bytes: Span<UInt8>) {
        if bytes.has(new, at: place) {
            keep(place..<place + new.count)
        } else {
            pieces.append(.new(new))
        }
    }
}
