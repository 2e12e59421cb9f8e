import AttachmentRules
import JobProtocol
import MediaProbe
import Testing

/// Which sizes are believed of a worker that gave up pixels to meet the budget: the plan's shape, each side rounded by
/// itself.
@Suite struct ReducedSizeTests {
    struct Size: Sendable, CustomTestStringConvertible {
        var width: Int
        var height: Int
        var isBelieved: Bool
        var testDescription: String { "\(width)x\(height)" }
    }

    @Test(
        "of 900x600",
        arguments: [
            Size(width: 900, height: 600, isBelieved: true), Size(width: 450, height: 300, isBelieved: true),
            // 900 : 600 is 79 : 52.7, and 80 : 53.3.
            Size(width: 79, height: 53, isBelieved: true), Size(width: 79, height: 54, isBelieved: true),
            Size(width: 80, height: 53, isBelieved: true), Size(width: 79, height: 55, isBelieved: false),
            Size(width: 76, height: 53, isBelieved: false), Size(width: 300, height: 450, isBelieved: false),
            Size(width: 901, height: 600, isBelieved: false), Size(width: 0, height: 0, isBelieved: false),
        ])
    func shape(_ size: Size) {
        let facts = MediaFacts(mediaType: .jpeg, width: 900, height: 600, colorModel: .ycbcr)
        let request = JobRequest(id: 1, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: .render)
        let rendition = Rendition(
            size: PlannedSize(width: size.width, height: size.height), bytes: 900, quality: 20, isProgressive: false,
            attempts: 4, reason: .pixelsLowered, libvips: "8.14.1")
        let objection = JobReply(id: 1, outcome: .rendered(SourceFacts(), rendition)).objection(to: request)
        #expect((objection == nil) == size.isBelieved, "\(objection ?? "")")
    }
}
