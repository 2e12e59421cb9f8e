import AttachmentRules
import Glibc
import JobProtocol
import Kernel
import MediaPipeline
import MediaProbe
import Scenes
import Testing
import Vips
@testable import WorkerPool

/// The real worker behind its sandbox makes the very bytes that the pipeline makes without one.
@Suite struct SandboxedPipelineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: SceneFile

        init(_ name: String, _ format: SceneFile.Format, _ change: (inout SceneFile) -> Void = { _ in }) {
            testDescription = name
            var file = SceneFile(format)
            change(&file)
            self.file = file
        }
    }

    @Test(arguments: [
        Case("JPEG", .jpeg()),
        Case("progressive JPEG, lying on its side", .jpeg(progressive: true)) {
            $0.orientation = 6
            $0.hasCamera = true
            $0.hasGPS = true
        },
        Case("JPEG in Display P3", .jpeg()) { $0.colors = .displayP3 },
        Case("JPEG for presses", .jpeg()) { $0.colors = .cmyk },
        Case("grey JPEG", .jpeg()) { $0.colors = .gray },
        Case("PNG with alpha", .png()) { $0.hasAlpha = true },
        Case("PNG of 16 bits", .png(bits: 16)) { $0.colors = .rgb16 },
        Case("PNG with a palette", .png(palette: true, interlaced: true)),
        Case("GIF", .gif),
        Case("WebP", .webp()),
        Case("WebP with alpha", .webp(lossless: true)) { $0.hasAlpha = true },
        Case("TIFF of 16 bits", .tiff) { $0.colors = .rgb16 },
        Case("HEIC", .heic()),
        Case("AVIF", .avif()),
    ])
    func theSandboxChangesNoByte(_ test: Case) throws {
        try MediaPipeline.start()
        let file: [UInt8]
        do {
            file = try Scene(width: 1100, height: 830, seed: 9, detail: 12).file(test.file)
        } catch {
            withKnownIssue("this libvips cannot encode \(test)") { throw error }
            return
        }
        let (request, bytes) = try Self.job(file)
        var written: [UInt8] = []
        let outcome = bytes.withUnsafeBytes {
            MediaPipeline.process($0, request: request) { written += $0 }
        }

        let lane = WorkerLane(WorkerConfiguration(executable: try Installation.built("mediaprep-worker")))
        let answer = try lane.run(request, source: sealed(bytes)).get()
        #expect(lane.missingLayers.isEmpty && lane.counts.crashes == 0)
        // Of an AVIF libvips remarks that it ignores how its colours are coded.
        let expected = JobReply(id: request.id, outcome: outcome, remarks: answer.reply.remarks)
        #expect(try JobCoding.encode(answer.reply) == JobCoding.encode(expected))
        let result = try answer.result.seal().withUnsafeBytes { Array($0) }
        #expect(!written.isEmpty && result == written)
        #expect(result.starts(with: [0xFF, 0xD8]))
    }

    /// Off, a picture that libvips resizes takes 26 to 47 % more CPU. A worker has the same environment but for what is
    /// listed there, and may have executable memory.
    @Test func libvipsCompilesItsLoops() throws {
        try MediaPipeline.start()
        #expect(Vips.compilesLoops)
        #expect(!WorkerConfiguration.environment.contains { $0.hasPrefix("VIPS_NOVECTOR") })
    }

    /// The job that the service makes of a file.
    private static func job(_ file: [UInt8]) throws -> (JobRequest, [UInt8]) {
        let facts = try MediaProbe.examine(file.span, limits: Limits())
        let stream = DecoderStream(of: file.span, facts: facts, limits: Limits())
        let picture = stream.picture.flatMap { piece in
            switch piece {
            case .source(let range): Array(file[range])
            case .new(let bytes): bytes
            }
        }
        // A budget that quality has to be lowered for.
        var recipe = Recipe()
        recipe.maxBytes = 60_000
        let request = JobRequest(
            id: 3, facts: stream.facts, pictureBytes: stream.pictureBytes, recipe: recipe, kind: .renderAndProve)
        return (request, picture + stream.exif)
    }
}
