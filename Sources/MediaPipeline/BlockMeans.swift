/// Mean colours over a grid: enough to tell whether two decodes show the same picture, whatever coding did to details.
struct BlockMeans {
    /// Cells an axis, at most; fewer where they would be smaller than 16 pixels, which chroma at half size blurs.
    private static let cells = 8

    private let width: Int
    private let height: Int
    private let columns: Int
    private let rows: Int
    private var sums: [Int]
    private var counts: [Int]

    /// The shorter edge of a cell, in pixels.
    var cellEdge: Int { min(width / columns, height / rows) }

    /// For RGB pixels of this size.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        columns = min(max(width / 16, 1), Self.cells)
        rows = min(max(height / 16, 1), Self.cells)
        sums = Array(repeating: 0, count: columns * rows * 3)
        counts = Array(repeating: 0, count: columns * rows)
    }

    /// Adds one row of RGB samples.
    mutating func add(row y: Int, _ samples: UnsafePointer<UInt8>) {
        let line = y * rows / height
        for column in 0..<columns {
            let from = (column * width + columns - 1) / columns
            let to = ((column + 1) * width + columns - 1) / columns
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
        zip(sums, other.sums).enumerated().map { index, pair in
            Double(abs(pair.0 - pair.1)) / Double(max(counts[index / 3], 1))
        }.max() ?? 0
    }
}
