/// Mean colours over a grid: enough to tell whether two decodes show the same picture, whatever coding did to details.
struct BlockMeans {
    /// Cells an axis, at most.
    private static let cells = 8
    /// Pixels an edge of a cell, at least, where the picture has as many: less than that, chroma at half size blurs.
    private static let smallestCell = 16

    private let width: Int
    private let height: Int
    private let shrink: Int
    private let columns: Int
    private let rows: Int
    private var sums: [Int]
    private var counts: [Int]

    /// The shorter edge of a cell, in pixels of the picture at full size.
    var cellEdge: Int { min(width / columns, height / rows) * shrink }

    /// For RGB pixels of a picture of this size, of which every `shrink` columns and rows will be one in the decode that
    /// it is compared with; what is left over at the right and at the bottom is not looked at.
    init(width: Int, height: Int, shrink: Int) {
        self.width = width / shrink
        self.height = height / shrink
        self.shrink = shrink
        columns = min(max(width / Self.smallestCell, 1), Self.cells)
        rows = min(max(height / Self.smallestCell, 1), Self.cells)
        sums = Array(repeating: 0, count: columns * rows * 3)
        counts = Array(repeating: 0, count: columns * rows)
    }

    /// Adds one row of RGB samples.
    ///
    /// - Parameters:
    ///   - scale: pixels of this row per column of the grid's picture: `shrink` at full size, 1 in a decode shrunk by it.
    mutating func add(row y: Int, _ samples: UnsafePointer<UInt8>, scale: Int) {
        guard y / scale < height else { return }
        let line = y / scale * rows / height
        for column in 0..<columns {
            let from = (column * width + columns - 1) / columns * scale
            let to = ((column + 1) * width + columns - 1) / columns * scale
            var (red, green, blue) = (0, 0, 0)
            for x in from..<to {
                red += Int(samples[x * 3])
                green += Int(samples[x * 3 + 1])
                blue += Int(samples[x * 3 + 2])
            }
            let cell = line * columns + column
            sums[cell * 3] += red
            sums[cell * 3 + 1] += green
            sums[cell * 3 + 2] += blue
            counts[cell] += to - from
        }
    }

    /// The largest differences of any cell's mean, in steps of 255.
    func distance(to other: BlockMeans) -> (luma: Double, channel: Double) {
        var largest = (luma: 0.0, channel: 0.0)
        for cell in counts.indices {
            let (red, green, blue) = (
                difference(cell, 0, to: other), difference(cell, 1, to: other), difference(cell, 2, to: other)
            )
            // JPEG's own weights of red, green and blue (ITU-R BT.601).
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue
            largest.luma = max(largest.luma, abs(luma))
            largest.channel = max(largest.channel, abs(red), abs(green), abs(blue))
        }
        return largest
    }

    private func difference(_ cell: Int, _ channel: Int, to other: BlockMeans) -> Double {
        Double(sums[cell * 3 + channel]) / Double(max(counts[cell], 1))
            - Double(other.sums[cell * 3 + channel]) / Double(max(other.counts[cell], 1))
    }
}
