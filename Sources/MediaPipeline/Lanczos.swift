internal import Glibc

/// For every target sample of one axis: which source samples it is made of, and how much of each.
struct Lanczos {
    /// The first source sample of each target sample.
    let first: [Int32]
    /// Source samples per target sample; the same for all, so that the inner loops have one length.
    let taps: Int
    /// `taps` weights per target sample, which add up to 1.
    let weights: [Float]

    /// - Parameters:
    ///   - source: samples that there are, at least 1.
    ///   - target: samples that are wanted, 1 to `source`.
    init(source: Int, target: Int) {
        guard source != target else {
            first = Array(0..<Int32(source))
            taps = 1
            weights = [Float](repeating: 1, count: source)
            return
        }
        let scale = Double(source) / Double(target)
        let support = 3 * scale
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
            first.append(Int32(start))
            var sum = 0.0
            for sample in start..<start + taps {
                let weight = Self.kernel((Double(sample) + 0.5 - centre) / scale)
                sum += weight
                weights.append(Float(weight))
            }
            let part = Float(1 / sum)
            for place in weights.count - taps..<weights.count { weights[place] *= part }
        }
        self.first = first
        self.taps = taps
        self.weights = weights
    }

    /// The weights in whole steps, so many that add up to `one`, and an even number of them per target sample.
    ///
    /// What is cut off one weight is carried over to the next: even of thousands of small ones nothing gets lost.
    func wholeWeights(one: Int) -> [Int16] {
        var result: [Int16] = []
        result.reserveCapacity(first.count * (taps + taps % 2))
        for index in first.indices {
            var exact = 0.0
            var given = 0
            for weight in weights[index * taps..<(index + 1) * taps] {
                exact += Double(weight) * Double(one)
                let step = Int(exact.rounded()) - given
                given += step
                result.append(Int16(clamping: step))
            }
            if taps % 2 == 1 { result.append(0) }
        }
        return result
    }

    /// sinc(x) windowed by sinc(x/3).
    private static func kernel(_ x: Double) -> Double {
        guard abs(x) > 1e-9 else { return 1 }
        guard abs(x) < 3 else { return 0 }
        let angle = Double.pi * x
        let third = sin(angle / 3)
        // The sine of an angle from that of its third: the kernel is half of the set-up, which every picture pays.
        let whole = (3 - 4 * third * third) * third
        return 3 * whole * third / (angle * angle)
    }
}
