/// How large a result will be, from numbers alone.
public enum Plan {
    /// The most pixels that libjpeg can put side by side (its JPEG_MAX_DIMENSION).
    static let longestEdge = 65_500

    /// The size of the result: short edge at most the recipe's, never enlarged, the shape kept within one pixel, and
    /// decoded within the image's share of the phone's memory.
    ///
    /// - Parameters:
    ///   - width: of the source when upright, in pixels.
    ///   - height: of the source when upright, in pixels.
    public static func size(width: Int, height: Int, recipe: Recipe) -> PlannedSize {
        let long = max(width, height)
        let short = min(width, height)
        func oriented(long edge: Int, short other: Int) -> PlannedSize {
            width >= height ? PlannedSize(width: edge, height: other) : PlannedSize(width: other, height: edge)
        }
        func atLongEdge(_ edge: Int) -> PlannedSize {
            oriented(long: edge, short: scaled(short, by: edge, of: long))
        }
        func fits(_ size: PlannedSize) -> Bool {
            max(size.width, size.height) <= longestEdge
                && DecodedMemory(width: size.width, height: size.height, bitsPerComponent: 8).residentBytes
                    <= recipe.imageShareBytes
        }

        let shortAsked = min(recipe.shortEdge, short)
        let asked = oriented(long: scaled(long, by: shortAsked, of: short), short: shortAsked)
        if fits(asked) { return asked }
        // Memory never falls while the long edge grows, so the largest edge that fits is found by halving.
        var fitting = 1
        var failing = max(asked.width, asked.height)
        while failing - fitting > 1 {
            let middle = (fitting + failing) / 2
            if fits(atLongEdge(middle)) { fitting = middle } else { failing = middle }
        }
        return atLongEdge(fitting)
    }

    /// `value * numerator / denominator`, rounded, at least 1.
    private static func scaled(_ value: Int, by numerator: Int, of denominator: Int) -> Int {
        max((value * numerator + denominator / 2) / denominator, 1)
    }
}
