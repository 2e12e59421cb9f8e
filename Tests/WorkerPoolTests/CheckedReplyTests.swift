import AttachmentRules
import JobProtocol
import MediaProbe
import Testing

/// Which answers to a check, and which places of a thumbnail, are believed.
@Suite struct CheckedReplyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var type = MediaType.jpeg
        var width = 900
        var height = 600
        var orientation = 1
        var isBelieved = true
    }

    @Test(arguments: [
        Case(testDescription: "as stored"),
        Case(testDescription: "turned", width: 600, height: 900, orientation: 6),
        Case(testDescription: "turned, and not told", width: 600, height: 900, isBelieved: false),
        Case(testDescription: "smaller", width: 899, isBelieved: false),
        Case(testDescription: "larger", height: 601, isBelieved: false),
        Case(testDescription: "of no size", width: 0, isBelieved: false),
        Case(testDescription: "negative", width: .min, height: .min, isBelieved: false),
        Case(testDescription: "cropped by its container", type: .heic, width: 600, height: 890),
        Case(testDescription: "larger than its container says", type: .heic, width: 901, isBelieved: false),
        Case(testDescription: "with an orientation that is none", orientation: 9, isBelieved: false),
    ])
    func sizes(_ test: Case) {
        let facts = MediaFacts(mediaType: test.type, width: 900, height: 600, colorModel: .ycbcr)
        let request = JobRequest(id: 1, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: .check)
        var source = SourceFacts()
        source.orientation = test.orientation
        let outcome = JobReply.Outcome.checked(source, PlannedSize(width: test.width, height: test.height))
        let objection = JobReply(id: 1, outcome: outcome).objection(to: request)
        #expect((objection == nil) == test.isBelieved, "\(objection ?? "")")
    }

    @Test("no other question is answered by it", arguments: [JobRequest.Kind.plan, .render, .renderAndProve, .clip])
    func otherKind(_ kind: JobRequest.Kind) {
        let facts = MediaFacts(mediaType: .jpeg, width: 9, height: 6, colorModel: .ycbcr)
        let request = JobRequest(id: 1, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: kind)
        let outcome = JobReply.Outcome.checked(SourceFacts(), PlannedSize(width: 9, height: 6))
        #expect(JobReply(id: 1, outcome: outcome).objection(to: request) != nil)
    }

    @Test(
        "a thumbnail lies in its picture",
        arguments: [(0, true), (300, true), (301, false), (-1, false), (Int.max, false), (Int.min, false)])
    func focus(_ offset: Int, isBelieved: Bool) {
        let facts = MediaFacts(mediaType: .jpeg, width: 900, height: 600, colorModel: .ycbcr)
        let request = JobRequest(id: 1, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: .render)
        var rendition = Rendition(
            size: PlannedSize(width: 900, height: 600), bytes: 900, quality: 80, isProgressive: false, attempts: 1,
            reason: .asAsked, libvips: "8.14.1")
        rendition.focus = offset
        let objection = JobReply(id: 1, outcome: .rendered(SourceFacts(), rendition)).objection(to: request)
        #expect((objection == nil) == isBelieved, "\(objection ?? "")")
    }
}
