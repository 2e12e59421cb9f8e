import AttachmentRules
import JobProtocol
import MediaProbe
import Scenes
import Testing

@testable import MediaPipeline

@Suite struct FrameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let type: MediaType
        let format: SceneFile.Format
        /// Largest mean difference to the first frame, in steps of 255.
        let tolerance: Double
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "animated GIF", type: .gif, format: .gif, tolerance: 5),
        Case(name: "animated WebP", type: .webp, format: .webp(), tolerance: 4),
        Case(name: "TIFF of several pages", type: .tiff, format: .tiff, tolerance: 3),
    ])
    func onlyTheFirstFrameIsUsed(_ test: Case) throws {
        let scene = Scene(width: 160, height: 120, seed: 3, detail: 1)
        let bytes = try scene.frames(3, as: test.format)
        var facts = facts(test.type, 160, 120)
        facts.frames = 3
        let made = try make(bytes, facts)
        let first = try Picture(scene.image())
        #expect(made.picture.difference(to: first) <= test.tolerance)
        #expect(made.source.notes.map(\.code) == [.firstFrameOnly])
    }

    /// libwebp rounds the edges that it shrinks to, and takes the first frame of several no less.
    @Test(arguments: [false, true], [1, 3])
    func aWebPThatShrinksWhileItLoadsShowsTheSame(_ isLossless: Bool, frames: Int) throws {
        let scene = Scene(width: 1_001, height: 757, seed: 9, detail: 1)
        let webp =
            frames == 1
            ? try scene.file(SceneFile(.webp(lossless: isLossless)))
            : try scene.frames(frames, as: .webp(lossless: isLossless))
        let small = try make(webp, facts(.webp, 1_001, 757), recipe(shortEdge: 100))
        let expected = try make(scene.file(SceneFile(.png())), facts(.png, 1_001, 757), recipe(shortEdge: 100))
        #expect(small.picture.difference(to: expected.picture) < 3)
    }

    @Test func theProbesOwnNoteIsNotRepeated() throws {
        let bytes = try Scene(width: 40, height: 30, seed: 3).frames(2, as: .gif)
        var facts = facts(.gif, 40, 30)
        facts.frames = 2
        facts.notes = [Note(.firstFrameOnly, "Two frames.")]
        #expect(try make(bytes, facts).source.notes.isEmpty)
    }
}
