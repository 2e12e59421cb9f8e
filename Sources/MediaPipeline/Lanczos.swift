internal import Glibc

/// For every target sample of one axis: which source samples it is made of, and how much of each.
struct Lanczos: ~Copyable {
    /// The first source sample of each target sample.
    let first: [Int32]
    /// Source samples per target sample; the same for all, so that the inner loops have one length.
    let taps: Int
    /// `taps` weights per target sample, which add up to 1.
    let weights: FloatBuffer

    /// - Parameters:
    ///   - source: samples that there are, at least 1.
    ///   - target: samples that are wanted, 1 to `source`.
    init(source: Int, target: Int) {
        guard source != target else {
            first = (0..<Int32(source)).map { $0 }
            taps = 1
            weights = FloatBuffer([Float](repeating: 1, count: source))
            return
        }
        let scale = Double(source) / Double(target)
        let support = 3 * max(scale, 1)
        let taps = min(Int(support.rounded(.up)) * 2 + 1, source)
        var first: [Int32] = []
        var weights: [Float] = []
        first.reserveCapacity(target)
        weights.reserveCapacity(target * taps)
        for index in 0..<target {
            // Sample centres, not corners, lie on each other; what would hang over an edge is left out and the rest
            // is made to add up to 1 again.
            let centre = (Double(index) + 0.5) * scale
            let start = min(max(Int((centre - support).rounded(.down)), 0), source - taps)
            let raw = (start..<start + taps).map { Self.kernel((Double($0) + 0.5 - centre) / max(scale, 1)) }
            let sum = raw.reduce(0, +)
            first.append(Int32(start))
            weights += raw.map { Float($0 / sum) }
        }
        self.first = first
        self.taps = taps
        self.weights = FloatBuffer(weights)
    }

    /// sinc(x) windowed by sinc(x/3).
    private static func kernel(_ x: Double) -> Double {
        guard abs(x) > 1e-9 else { return 1 }
        guard abs(x) < 3 else { return 0 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}
