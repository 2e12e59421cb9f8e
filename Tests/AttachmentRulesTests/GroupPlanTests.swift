import AttachmentRules
import Testing

/// How the pictures of one push share the memory.
@Suite struct GroupPlanTests {
    private static let page = DecodedMemory.pageBytes

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In pages.
        let resident: [Int]
        let share: Int
        let cap: Int?
    }

    static let cases = [
        Case(testDescription: "nothing", resident: [], share: 10, cap: nil),
        Case(testDescription: "one that fits", resident: [10], share: 10, cap: nil),
        Case(testDescription: "one that does not", resident: [11], share: 10, cap: 10),
        Case(testDescription: "three that fit together", resident: [5, 3, 2], share: 10, cap: nil),
        Case(testDescription: "three of one size", resident: [9, 9, 9], share: 10, cap: 3),
        Case(testDescription: "a small one keeps its size", resident: [9, 1, 9], share: 10, cap: 4),
        Case(testDescription: "what small ones leave is for the large", resident: [2, 100, 1, 7], share: 20, cap: 10),
        Case(testDescription: "the cap is as large as one of them", resident: [4, 4, 4, 20], share: 16, cap: 4),
        Case(testDescription: "sound takes nothing", resident: [0, 9, 0, 9], share: 10, cap: 5),
    ]

    @Test(arguments: cases)
    func cap(_ one: Case) {
        let plan = GroupPlan(residentBytes: one.resident.map { $0 * Self.page }, shareBytes: one.share * Self.page)
        #expect(plan.capBytes == one.cap.map { $0 * Self.page })
        #expect(plan.shares == one.resident.map { min($0, one.cap ?? $0) * Self.page })
    }

    @Test("the cap is the largest with which the sum is within the share, found by trying each")
    func bruteForce() {
        var random = Random(state: 5)
        for _ in 0..<2_000 {
            let count = Int(random.next() % 10) + 1
            let resident = (0..<count).map { _ in Int(random.next() % 40) * Self.page }
            let share = (count + Int(random.next() % 200)) * Self.page + Int(random.next() % 2) * 100
            let plan = GroupPlan(residentBytes: resident, shareBytes: share)
            func sum(_ cap: Int) -> Int { resident.reduce(0) { $0 + min($1, cap) } }
            let largest = resident.max() ?? 0
            let expected = stride(from: largest, to: 0, by: -Self.page).first { sum($0) <= share } ?? 0
            #expect((plan.capBytes ?? largest) == expected || sum(plan.capBytes ?? largest) == sum(expected))
            #expect(plan.shares.reduce(0, +) <= share)
            #expect((plan.capBytes == nil) == (sum(largest) <= share))
        }
    }

    @Test("pictures that are planned within their parts of the share are within the share together")
    func planned() {
        let sources = [(4000, 3000), (600, 600), (3000, 4000), (12_000, 900), (500, 400), (8000, 6000)]
        var recipe = Recipe()
        let alone = sources.map { Plan.size(width: $0.0, height: $0.1, recipe: recipe).resident }
        let plan = GroupPlan(residentBytes: alone, shareBytes: recipe.imageShareBytes)
        #expect(alone.reduce(0, +) > recipe.imageShareBytes)
        var together = 0
        for (source, share) in zip(sources, plan.shares) {
            recipe.imageShareBytes = share
            let size = Plan.size(width: source.0, height: source.1, recipe: recipe)
            #expect(size.resident <= share)
            together += size.resident
        }
        #expect(together <= plan.shareBytes)
        // Rounding down to whole pixels gives away little.
        #expect(together > plan.shareBytes * 9 / 10)
    }
}

extension PlannedSize {
    fileprivate var resident: Int { DecodedMemory(width: width, height: height, bitsPerComponent: 8).residentBytes }
}

/// The same numbers in every run: xorshift64*.
private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
