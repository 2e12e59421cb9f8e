internal import CAv

/// How a film's frames are to be shown: with square pixels, and turned.
struct Shape {
    /// Before any turn, with square pixels.
    let plainWidth: Int
    let plainHeight: Int
    let turn: Turn

    /// - Parameter frame: one of its frames, whose size counts where there is one.
    init(of stream: UnsafeMutablePointer<AVStream>, frame: UnsafeMutablePointer<AVFrame>?) {
        let parameters = stream.pointee.codecpar.pointee
        let width = max(1, Int(frame?.pointee.width ?? parameters.width))
        plainHeight = max(1, Int(frame?.pointee.height ?? parameters.height))
        var ratio = stream.pointee.sample_aspect_ratio
        if ratio.num <= 0 || ratio.den <= 0 {
            ratio = frame?.pointee.sample_aspect_ratio ?? parameters.sample_aspect_ratio
        }
        // A pixel eight times as long as wide is nonsense.
        let isSane = ratio.num > 0 && ratio.den > 0 && (0.125...8).contains(Double(ratio.num) / Double(ratio.den))
        plainWidth = isSane ? max(1, width * Int(ratio.num) / Int(ratio.den)) : width
        turn = Turn(of: stream)
    }

    /// As shown.
    var width: Int { turn.isSideways ? plainHeight : plainWidth }
    var height: Int { turn.isSideways ? plainWidth : plainHeight }
}

/// One of the eight ways to lay a picture: a display matrix says which.
struct Turn: Equatable {
    /// Rows become columns.
    var isSideways = false
    /// Then from right to left.
    var flipsColumns = false
    /// And from bottom to top.
    var flipsRows = false

    /// By the display matrix of a stream; as it is where it has none, or one that is no quarter turn.
    init(of stream: UnsafeMutablePointer<AVStream>) {
        var size = 0
        guard let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            self.init([1, 0, 0, 0, 1, 0, 0, 0, 1])
            return
        }
        let raw = UnsafeRawPointer(data)
        self.init((0..<9).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) })
    }

    /// - Parameter matrix: a point (x, y) is shown at (m0 x + m3 y, m1 x + m4 y), moved back to the origin.
    init(_ matrix: [Int32]) {
        let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
        if a != 0, d != 0, b == 0, c == 0 {
            flipsColumns = a < 0
            flipsRows = d < 0
        } else if b != 0, c != 0, a == 0, d == 0 {
            isSideways = true
            flipsColumns = c < 0
            flipsRows = b < 0
        }
    }

    /// Lays pixels so.
    ///
    /// - Parameters:
    ///   - pixels: rows without gaps, three bytes a pixel.
    ///   - width: of `pixels`.
    func laid(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        if self == Turn([1, 0, 0, 0, 1, 0, 0, 0, 1]) { return pixels }
        let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
        return [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            var next = 0
            for row in 0..<newHeight {
                let y = flipsRows ? newHeight - 1 - row : row
                for column in 0..<newWidth {
                    let x = flipsColumns ? newWidth - 1 - column : column
                    let source = 3 * (isSideways ? x * width + y : y * width + x)
                    for band in 0..<3 { target.initializeElement(at: next + band, to: pixels[source + band]) }
                    next += 3
                }
            }
            count = next
        }
    }
}
