import AttachmentRules
import JobProtocol
import MediaProbe
import Testing

/// What a worker may say beside its answer.
@Suite struct RemarksTests {
    struct Remarks: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var remarks: [String]
        var isAllowed: Bool
    }

    static let longest = JobReply.longestRemark

    @Test(arguments: [
        Remarks(testDescription: "none", remarks: [], isAllowed: true),
        Remarks(testDescription: "an empty one", remarks: [""], isAllowed: true),
        Remarks(
            testDescription: "as many as may be, as long as they may be",
            remarks: [String](repeating: String(repeating: "x", count: longest), count: JobReply.mostRemarks),
            isAllowed: true),
        Remarks(
            testDescription: "one too many", remarks: [String](repeating: "", count: JobReply.mostRemarks + 1),
            isAllowed: false),
        Remarks(
            testDescription: "one byte too long", remarks: [String(repeating: "x", count: longest + 1)],
            isAllowed: false),
        Remarks(
            testDescription: "the last is too long", remarks: ["", "", String(repeating: "x", count: longest + 1)],
            isAllowed: false),
        Remarks(
            testDescription: "bytes count, not characters", remarks: [String(repeating: "é", count: longest / 2)],
            isAllowed: true),
        Remarks(
            testDescription: "one character of many bytes",
            remarks: ["e" + String(repeating: "\u{301}", count: longest / 2)], isAllowed: false),
    ])
    func bounds(_ test: Remarks) {
        let facts = MediaFacts(mediaType: .jpeg, width: 900, height: 700, colorModel: .ycbcr)
        let request = JobRequest(id: 1, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: .plan)
        let size = Plan.size(width: 900, height: 700, recipe: Recipe())
        let refusal = Rejection(.decodeFailed, rule: .doesNotDecode, stage: .render, "It does not decode.")
        for outcome in [JobReply.Outcome.planned(SourceFacts(), size), .refused(refusal)] {
            let reply = JobReply(id: 1, outcome: outcome, remarks: test.remarks)
            #expect(reply.objection(to: request) == (test.isAllowed ? nil : "its remarks are too long"))
        }
    }

    @Test("an answer that does not say what was remarked is none")
    func missing() throws {
        let reply = JobReply(
            id: 1, outcome: .planned(SourceFacts(), PlannedSize(width: 1, height: 1)), remarks: ["odd"])
        let text = String(decoding: try JobCoding.encode(reply), as: UTF8.self)
        #expect(try JobCoding.decode(JobReply.self, from: Array(text.utf8)).remarks == ["odd"])
        let silent = text.replacing(#","remarks":["odd"]"#, with: "")
        #expect(silent != text)
        #expect(throws: JobCodingError.malformed) {
            try JobCoding.decode(JobReply.self, from: Array(silent.utf8))
        }
    }
}
