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

    /// The largest difference of any cell's mean, in steps of 255.
    func distance(to other: BlockMeans) -> Double {
        var largest = 0.0
        for index in sums.indices {
            let mine = Double(sums[index]) / Double(max(counts[index / 3], 1))
            let theirs = Double(other.sums[index]) / Double(max(other.counts[index / 3], 1))
            largest = max(largest, abs(mine - theirs))
        }
        return largest
    }
}
