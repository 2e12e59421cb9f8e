import Glibc
import Testing

@testable import MediaPipeline

@Suite struct BudgetSearchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let curve: @Sendable (Int) -> Int
        let best: Int?
        let mostEncodes: Int
        var testDescription: String { name }
    }

    /// Bytes that follow the power law exactly.
    static func power(_ bytesAt80: Double, _ exponent: Double) -> @Sendable (Int) -> Int {
        { Int(bytesAt80 * pow(BudgetSearch.scale($0) / 40, -exponent)) }
    }

    static let cases = [
        Case(name: "everything fits", curve: { _ in 50_000 }, best: 80, mostEncodes: 1),
        Case(name: "nothing fits", curve: { _ in 150_000 }, best: nil, mostEncodes: 8),
        Case(name: "power law as expected", curve: power(150_000, 0.59), best: 60, mostEncodes: 3),
        Case(name: "steeper", curve: power(150_000, 0.8), best: 66, mostEncodes: 4),
        Case(name: "flatter", curve: power(150_000, 0.45), best: 50, mostEncodes: 5),
        Case(name: "far over", curve: power(400_000, 0.6), best: 12, mostEncodes: 5),
        Case(name: "linear", curve: { $0 * 2_000 }, best: 50, mostEncodes: 6),
        Case(name: "a cliff", curve: { $0 >= 33 ? 500_000 : 20_000 }, best: 32, mostEncodes: 11),
        Case(name: "plateaus of five", curve: { ($0 / 5) * 9_000 }, best: 59, mostEncodes: 6),
        Case(name: "only the floor fits", curve: { $0 <= 5 ? 100_000 : 100_001 }, best: 5, mostEncodes: 11),
        Case(name: "one byte over at the top", curve: { $0 == 80 ? 100_001 : 100_000 }, best: 79, mostEncodes: 3),
    ]

    @Test(arguments: cases)
    func findsTheHighestThatFits(_ test: Case) {
        let search = BudgetSearch(budget: 100_000, qualities: 5...80)
        var asked: [Int] = []
        let hint = BudgetSearch.Sample(quality: 80, bytes: test.curve(80))
        let outcome = search.run(hint: hint) { quality in
            asked.append(quality)
            return test.curve(quality)
        }
        #expect(outcome.best?.quality == test.best)
        #expect(outcome.encodes == asked.count)
        #expect(Set(asked).count == asked.count, "nothing is encoded twice")
        #expect(outcome.encodes <= test.mostEncodes, "\(asked)")
        if let best = outcome.best, best.quality < 80 {
            #expect(asked.contains(best.quality + 1), "the neighbour was measured")
        }
    }

    @Test func aCurveThatGoesUpAndDownGivesAnAnswerThatFits() {
        for seed in 1...200 {
            let curve: (Int) -> Int = { quality in
                let wobble = (quality * 7919 + seed * 104_729) % 9_001 - 4_500
                return quality * 1_500 + wobble
            }
            let outcome = BudgetSearch(budget: 90_000, qualities: 20...80).run(hint: nil, encode: curve)
            let best = outcome.best
            #expect(best.map { curve($0.quality) <= 90_000 } == true)
            #expect(best.map { $0.quality == 80 || curve($0.quality + 1) > 90_000 } == true)
            #expect(outcome.encodes <= 11)
        }
    }

    @Test func aRangeOfOneQualityIsOneEncode() {
        let search = BudgetSearch(budget: 10, qualities: 50...50)
        #expect(search.run(hint: nil) { _ in 11 }.encodes == 1)
        #expect(search.run(hint: nil) { _ in 10 }.best == BudgetSearch.Sample(quality: 50, bytes: 10))
    }

    @Test func anEncoderThatFailsEndsTheSearch() {
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try BudgetSearch(budget: 10, qualities: 5...80).run(hint: nil) { _ throws(Broken) in throw Broken() }
        }
    }
}
