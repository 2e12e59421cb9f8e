import AttachmentRules
import MediaProbe
import Testing

@Suite struct AdmissionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let type: MediaType
        let sides: (Int, Int)
        let expected: Rule?
        var change: @Sendable (inout MediaFacts) -> Void = { _ in }

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "200-megapixel phone JPEG", type: .jpeg, sides: (16_320, 12_240), expected: nil),
        Case(name: "JPEG at the limit", type: .jpeg, sides: (16_384, 16_384), expected: nil),
        Case(name: "JPEG over the limit", type: .jpeg, sides: (16_384, 16_385), expected: .tooManyPixels),
        Case(name: "PNG at the limit", type: .png, sides: (10_000, 10_000), expected: nil),
        Case(name: "PNG over the limit", type: .png, sides: (10_000, 10_001), expected: .tooManyPixels),
        Case(name: "sides that overflow", type: .tiff, sides: (.max, .max), expected: .tooManyPixels),
        Case(name: "memory", type: .heic, sides: (10, 10), expected: .tooManyPixels) { $0.workingMemory = 384_000_001 },
        Case(name: "frames", type: .gif, sides: (10, 10), expected: .tooManyFrames) { $0.frames = 10_001 },
        Case(name: "bits", type: .tiff, sides: (10, 10), expected: .doesNotDecode) { $0.bitsPerComponent = 17 },
        Case(name: "incomplete", type: .webp, sides: (10, 10), expected: .doesNotDecode) { $0.isComplete = false },
        Case(name: "pixels before incompleteness", type: .webp, sides: (99_999, 99_999), expected: .tooManyPixels) {
            $0.isComplete = false
        },
    ]

    @Test(arguments: cases) func admits(_ test: Case) {
        var facts = MediaFacts(mediaType: test.type, width: test.sides.0, height: test.sides.1, colorModel: .rgb)
        test.change(&facts)
        var rule: Rule?
        do throws(Rejection) { try MediaProbe.admit(facts, limits: Limits()) } catch {
            rule = error.rule
            #expect(error.stage == .probe && error.message.hasSuffix("."))
        }
        #expect(rule == test.expected)
    }

    static let whole: [(String, [UInt8], Rejection.Code, Rule)] = [
        ("empty", [], .empty, .notAFile),
        ("unknown", ascii("hello, world"), .unknownType, .unknownContent),
        ("PDF", ascii("%PDF-1.7"), .typeNotAllowed, .typeNotAccepted),
    ]

    @Test(arguments: whole) func refusesWhole(name: String, bytes: [UInt8], code: Rejection.Code, rule: Rule) {
        #expect {
            try examine(bytes)
        } throws: { error in
            guard let error = error as? Rejection else { return false }
            return error.code == code && error.rule == rule && error.stage == .probe
        }
    }

    @Test func fileSize() throws {
        var limits = Limits()
        limits.fileBytes = JpegBuilder.baseline.count
        #expect(refusal(JpegBuilder.baseline, limits: limits) == nil)
        limits.fileBytes -= 1
        #expect(refusal(JpegBuilder.baseline, limits: limits) == .fileTooLarge)
    }

    /// The type is named in the refusal, so that the sender sees what was really sent.
    @Test func namesTheType() {
        #expect {
            try examine(ascii("GIF7"))
        } throws: { ($0 as? Rejection)?.code == .unknownType }
        #expect {
            try examine(ascii("fLaC...."))
        } throws: { ($0 as? Rejection)?.message.contains("audio/flac") == true }
    }
}
