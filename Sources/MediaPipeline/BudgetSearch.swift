internal import Glibc

/// Finds the highest quality whose result fits a budget, in few encodes.
///
/// Bytes follow a power law in libjpeg's quantiser scale, bytes ~ scale^-p with p = 0.59 +- 0.05 (60 photos); the
/// exponent is fitted again from the encodes already made. The answer is exact: the next quality was measured not to
/// fit, or is above the range. A curve that goes up and down still gives an answer that fits and whose neighbour does
/// not, though perhaps not the only one.
struct BudgetSearch {
    /// In bytes.
    let budget: Int
    /// The lowest and the highest quality that may be answered.
    let qualities: ClosedRange<Int>

    /// One encode that was made, or a guess of one.
    struct Sample: Equatable {
        var quality: Int
        var bytes: Int
    }

    struct Outcome: Equatable {
        /// The best that fits; nil when not even the lowest quality does.
        var best: Sample?
        /// The smallest result that did not fit.
        var tooLarge: Sample?
        /// Encodes that were made.
        var encodes: Int
    }

    /// - Parameters:
    ///   - hint: a guess of the bytes at one quality; it only decides where the search begins.
    ///   - encode: gives the bytes at one quality.
    func run<Failure: Error>(
        hint: Sample?, encode: (Int) throws(Failure) -> Int
    ) throws(Failure) -> Outcome {
        var best: Sample?
        var tooLarge: Sample?
        var encodes = 0
        while true {
            let lowest = best.map { $0.quality + 1 } ?? qualities.lowerBound
            let highest = tooLarge.map { $0.quality - 1 } ?? qualities.upperBound
            guard lowest <= highest else { return Outcome(best: best, tooLarge: tooLarge, encodes: encodes) }
            let guess =
                encodes < Self.guesses
                ? guess(best: best, tooLarge: tooLarge, hint: hint) : lowest + (highest - lowest) / 2
            let quality = min(max(guess, lowest), highest)
            let sample = Sample(quality: quality, bytes: try encode(quality))
            encodes += 1
            if sample.bytes <= budget { best = sample } else { tooLarge = sample }
        }
    }

    /// Guesses before the search only halves what is left: then at most 7 more encodes follow.
    private static let guesses = 4
    private static let exponent = 0.59
    /// The part of the budget that is aimed at: one step of quality is about 2.2 % of the bytes.
    private static let aim = 0.995

    private func guess(best: Sample?, tooLarge: Sample?, hint: Sample?) -> Int {
        guard let anchor = best ?? tooLarge ?? hint else { return qualities.upperBound }
        var exponent = Self.exponent
        if let other = best == nil ? hint : tooLarge ?? hint, other.quality != anchor.quality, other.bytes > 0 {
            let fitted =
                log(Double(anchor.bytes) / Double(other.bytes))
                / log(Self.scale(other.quality) / Self.scale(anchor.quality))
            if fitted.isFinite { exponent = min(max(fitted, 0.3), 1.2) }
        }
        let ratio = Double(budget) * Self.aim / Double(max(anchor.bytes, 1))
        return Self.quality(scale: Self.scale(anchor.quality) * pow(ratio, -1 / exponent))
    }

    /// libjpeg's quantiser scale in percent (jpeg_quality_scaling), 1 instead of 0 for Q 100.
    static func scale(_ quality: Int) -> Double {
        quality < 50 ? 5000 / Double(max(quality, 1)) : max(Double(200 - 2 * quality), 1)
    }

    /// The highest quality whose scale is not below this one.
    private static func quality(scale: Double) -> Int {
        let quality = scale > 100 ? 5000 / scale : (200 - scale) / 2
        return Int(min(max(quality, 1), 100).rounded(.down))
    }
}
