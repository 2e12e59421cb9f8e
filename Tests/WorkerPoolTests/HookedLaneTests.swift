import AttachmentRules
import JobProtocol
import Kernel
import MediaProbe
import Misbehaviour
import Testing
import WorkerPool

/// The real worker in its sandbox, with decoders that run wild.
@Suite struct HookedLaneTests {
    @Test func anEndlessAllocationEndsAtTheLimit() throws {
        var configuration = WorkerConfiguration(executable: try Installation.built("hooked-worker"))
        configuration.jobDeadline = .seconds(60)
        let lane = WorkerLane(configuration)
        let facts = MediaFacts(mediaType: .jpeg, width: Hook.allocation.rawValue, height: 1, colorModel: .ycbcr)
        let request = JobRequest(id: 1, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: .render)
        guard case .failure(.crashed) = try lane.run(request, source: sealed("")) else {
            Issue.record("it comes to no other end")
            return
        }
        lane.close()
        // It got at most its share, on top of what a worker has before its first job: 20 to 30 MB.
        #expect(lane.counts.peakBytes > configuration.addressSpaceBytes / 2)
        #expect(lane.counts.peakBytes < configuration.addressSpaceBytes + 100 << 20)
    }
}
