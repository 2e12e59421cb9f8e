import AttachmentRules
import Testing

@testable import Service

@Suite struct BatchCountsTests {
    static let start = ContinuousClock.now

    static func refused(_ code: Rejection.Code) -> PictureOutcome {
        var manifest = Manifest(
            name: "a", status: .rejected, recipe: "r", createdAt: "t", source: Manifest.Source(name: "a", path: "a"))
        manifest.source.bytes = 10
        manifest.rejection = Rejection(code, rule: .doesNotDecode, stage: .probe, "")
        return .rejected(manifest)
    }

    @Test("the table counts each reason, the most frequent first")
    func table() {
        var counts = BatchCounts(start: Self.start)
        counts.total = 5
        counts.add(.published(ManifestCodingTests.published, proof: nil))
        counts.add(Self.refused(.empty))
        counts.add(Self.refused(.truncated))
        counts.add(Self.refused(.truncated))
        #expect(
            counts.table(at: Self.start.advanced(by: .milliseconds(1_250))) == """
                published          1
                rejected           3
                  truncated        2
                  empty            1
                not begun          1
                bytes in     2481264
                bytes out      61234
                seconds          1.3

                """)
    }

    @Test("the progress line tells rate and time left, at most ten times a second")
    func progress() {
        var counts = BatchCounts(start: Self.start)
        counts.total = 100
        for _ in 0..<10 { counts.add(Self.refused(.empty)) }
        #expect(counts.progress(at: Self.start.advanced(by: .milliseconds(50))) == nil)
        #expect(
            counts.progress(at: Self.start.advanced(by: .seconds(10))) == "10/100  1.0/s  10 rejected  1:30 left")
        #expect(counts.progress(at: Self.start.advanced(by: .milliseconds(10_050))) == nil)
    }
}
