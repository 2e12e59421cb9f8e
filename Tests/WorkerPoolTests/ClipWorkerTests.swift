import AttachmentRules
import Glibc
import JobProtocol
import Kernel
import MediaProbe
import Scenes
import Testing

@testable import WorkerPool

/// The worker for sound and film, behind the same sandbox as the other.
@Suite struct ClipWorkerTests {
    private func lane() throws -> WorkerLane {
        var configuration = WorkerConfiguration(executable: try Installation.built("mediaprep-clip-worker"))
        configuration.resultBytes = JobRequest.mostPosterBytes
        return WorkerLane(configuration)
    }

    private func request(_ id: UInt64, _ type: MediaType, kind: JobRequest.Kind = .clip) -> JobRequest {
        let facts = MediaFacts(mediaType: type, width: 1, height: 1, colorModel: .other)
        return JobRequest(id: id, facts: facts, pictureBytes: 0, recipe: Recipe(), kind: kind)
    }

    @Test("it is shut in: a filter of system calls, no privileges to gain, four descriptors, one thread")
    func confined() throws {
        let lane = try lane()
        let answer = try lane.run(request(1, .wav), source: sealed(Tone(seconds: 1).file)).get()
        guard case .clip(let facts, posterBytes: 0) = answer.reply.outcome else {
            Issue.record("\(answer.reply.outcome)")
            return
        }
        #expect(facts.durationMilliseconds == 1_000)
        #expect(lane.missingLayers.isEmpty)
        let pid = try #require(lane.workerPID)
        let status = try FileDescriptor.open(FilePath("/proc/\(pid)/status"), flags: .readOnly)
        let text = String(decoding: try status.readAll(maximumBytes: 1 << 16), as: UTF8.self)
        for line in ["Seccomp:\t2", "NoNewPrivs:\t1", "CapEff:\t0000000000000000", "Threads:\t1"] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test("a film's still picture comes through the result")
    func poster() throws {
        let file = try Reel(width: 160, height: 120, frames: 10).file()
        let answer = try lane().run(request(2, .avi), source: sealed(file)).get()
        guard case .clip(let facts, let posterBytes) = answer.reply.outcome else {
            Issue.record("\(answer.reply.outcome)")
            return
        }
        #expect(facts.video?.frames == 10 && facts.durationMilliseconds == 1_000)
        let result = try answer.result.seal().withUnsafeBytes { Array($0) }
        #expect(result.count == posterBytes && result.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test("what is no job for it, and what does not decode, is refused and not died of")
    func refused() throws {
        let lane = try lane()
        for (id, request) in [request(3, .wav, kind: .plan), request(4, .mp4)].enumerated() {
            let answer = try lane.run(request, source: sealed([1, 2, 3])).get()
            guard case .refused = answer.reply.outcome else {
                Issue.record("\(id): \(answer.reply.outcome)")
                return
            }
        }
        #expect(lane.counts.crashes == 0)
    }

    @Test(
        "an answer is not believed beyond what can be",
        arguments: [
            ClipFacts(durationMilliseconds: -1), ClipFacts(durationMilliseconds: 1),
            facts { $0.video?.codec = "" }, facts { $0.video?.codec = String(repeating: "x", count: 33) },
            facts { $0.video?.codec = "\u{1B}[2J" }, facts { $0.video?.width = 0 },
            facts { $0.video?.height = 1 << 20 },
            facts { $0.video?.frames = -1 }, facts { $0.audio?.channels = 65 }, facts { $0.audio?.sampleRate = 0 },
            facts { $0.headerMilliseconds = -1 },
        ])
    func objection(_ facts: ClipFacts) {
        let request = request(5, .mp4)
        #expect(JobReply(id: 5, outcome: .clip(facts, posterBytes: 0)).objection(to: request) != nil)
    }

    @Test("a still picture is not believed beyond its limit, nor any from a sound or for a picture")
    func posterObjection() {
        let good = Self.facts()
        let clip = request(6, .mp4)
        func objection(_ facts: ClipFacts, _ bytes: Int, _ request: JobRequest) -> String? {
            JobReply(id: 6, outcome: .clip(facts, posterBytes: bytes)).objection(to: request)
        }
        #expect(objection(good, JobRequest.mostPosterBytes, clip) == nil)
        #expect(objection(good, JobRequest.mostPosterBytes + 1, clip) != nil)
        #expect(objection(good, -1, clip) != nil)
        #expect(objection(Self.facts { $0.video = nil }, 1, clip) != nil)
        #expect(objection(good, 0, request(6, .jpeg, kind: .render)) != nil)
    }

    static func facts(_ change: (inout ClipFacts) -> Void = { _ in }) -> ClipFacts {
        var facts = ClipFacts(durationMilliseconds: 1_000)
        facts.video = ClipFacts.Video(codec: "h264", width: 640, height: 360, frames: 25)
        facts.audio = ClipFacts.Audio(codec: "aac", sampleRate: 44_100, channels: 2)
        change(&facts)
        return facts
    }
}
