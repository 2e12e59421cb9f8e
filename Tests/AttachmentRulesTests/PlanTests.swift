import AttachmentRules
import Testing

@Suite struct PlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let source: (Int, Int)
        let expected: (Int, Int)
        var share = 8 << 20
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "12 megapixels", source: (4032, 3024), expected: (800, 600)),
        Case(name: "12 megapixels upright", source: (3024, 4032), expected: (600, 800)),
        Case(name: "one pixel", source: (1, 1), expected: (1, 1)),
        Case(name: "never enlarged", source: (320, 200), expected: (320, 200)),
        Case(name: "exactly the short edge", source: (900, 600), expected: (900, 600)),
        Case(name: "one pixel too tall", source: (600, 601), expected: (600, 601)),
        Case(name: "one pixel too much on both", source: (601, 601), expected: (600, 600)),
        Case(name: "an odd shape is rounded", source: (1021, 677), expected: (905, 600)),
        Case(name: "long screenshot, by memory", source: (1170, 20_000), expected: (348, 5957)),
        Case(name: "strip 40:1, by memory", source: (24_000, 600), expected: (9152, 229)),
        Case(name: "panorama that fits as it is", source: (6016, 100), expected: (6016, 100)),
        Case(name: "hair line, by libjpeg's longest edge", source: (90_000, 1), expected: (65_500, 1)),
        Case(name: "a share of one page", source: (4032, 3024), expected: (68, 51), share: 16_384),
    ]

    @Test(arguments: cases)
    func size(_ test: Case) {
        var recipe = Recipe()
        recipe.imageShareBytes = test.share
        let size = Plan.size(width: test.source.0, height: test.source.1, recipe: recipe)
        #expect(size == PlannedSize(width: test.expected.0, height: test.expected.1))
    }

    @Test func everySizeKeepsItsPromises() {
        let recipe = Recipe()
        let edges = [1, 2, 7, 24, 99, 599, 600, 601, 1170, 1200, 3024, 4032, 9000, 20_000, 65_535]
        for width in edges {
            for height in edges {
                let size = Plan.size(width: width, height: height, recipe: recipe)
                #expect(size.width >= 1 && size.height >= 1)
                #expect(size.width <= width && size.height <= height)
                #expect(min(size.width, size.height) <= recipe.shortEdge)
                let memory = DecodedMemory(width: size.width, height: size.height, bitsPerComponent: 8)
                #expect(memory.residentBytes <= recipe.imageShareBytes)
                // The shape: each edge within one pixel of what the other one's scale gives.
                let ideal = Double(size.width) * Double(height) / Double(width)
                let other = Double(size.height) * Double(width) / Double(height)
                #expect(
                    abs(ideal - Double(size.height)) <= 1 || abs(other - Double(size.width)) <= 1
                        || min(size.width, size.height) == 1, "\(width)x\(height)")
            }
        }
    }

    @Test func theClampTakesTheLargestSizeThatFits() {
        let recipe = Recipe()
        let size = Plan.size(width: 1170, height: 20_000, recipe: recipe)
        let next = DecodedMemory(
            width: Int((Double(size.height + 1) * 1170 / 20_000).rounded()), height: size.height + 1,
            bitsPerComponent: 8)
        #expect(next.residentBytes > recipe.imageShareBytes)
    }
}
