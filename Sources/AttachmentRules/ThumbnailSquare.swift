extension UnitRectangle {
    /// The largest square of a picture, in pixels a square whatever the picture's shape; four decimals, and never
    /// outside of the picture.
    ///
    /// - Parameters:
    ///   - width: of the picture, in pixels.
    ///   - height: of the picture, in pixels.
    ///   - offset: where the square begins along the long edge, in pixels; nil for the middle.
    public static func square(ofWidth width: Int, height: Int, offset: Int?) -> UnitRectangle {
        let (short, long) = (min(width, height), max(width, height))
        // In ten-thousandths, rounded down: what is rounded up could reach over the edge.
        let extent = max(short * one / long, 1)
        let begin = offset.map { $0 * one / long } ?? (one - extent) / 2
        let start = Double(min(max(begin, 0), one - extent)) / Double(one)
        let length = Double(extent) / Double(one)
        return width >= height
            ? UnitRectangle(x: start, y: 0, width: length, height: 1)
            : UnitRectangle(x: 0, y: start, width: 1, height: length)
    }

    private static let one = 10_000
}
