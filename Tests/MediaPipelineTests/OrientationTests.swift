import AttachmentRules
import JobProtocol
import MediaProbe
import Scenes
import Testing

@testable import MediaPipeline

@Suite struct OrientationTests {
    static let scene = Scene(width: 240, height: 160, seed: 2, detail: 2)

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let type: MediaType
        let format: SceneFile.Format
        /// Largest mean difference to the upright file's result, in steps of 255: chroma blocks lie elsewhere.
        let tolerance: Double
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "JPEG", type: .jpeg, format: .jpeg(), tolerance: 1.5),
        Case(name: "PNG with eXIf", type: .png, format: .png(), tolerance: 0),
        Case(name: "WebP", type: .webp, format: .webp(lossless: true), tolerance: 0),
        Case(name: "TIFF", type: .tiff, format: .tiff, tolerance: 0),
    ]

    @Test(arguments: cases, Array(1...8))
    func everyOrientationBecomesTheUprightPicture(_ format: Case, _ orientation: Int) throws {
        let recipe = recipe(shortEdge: 100)
        let reference = try make(
            Self.scene.file(SceneFile(format.format)), facts(format.type, 240, 160), recipe)
        #expect(reference.rendition.size == PlannedSize(width: 150, height: 100))

        var options = SceneFile(format.format)
        options.orientation = orientation
        let file = try Self.scene.file(options)
        let (width, height) = orientation >= 5 ? (160, 240) : (240, 160)
        let block = ExifBlock(orientation: orientation)
        let turned = try make(file, facts(format.type, width, height, exif: block, in: file), recipe)
        #expect(turned.source.orientation == orientation)
        #expect(turned.picture.difference(to: reference.picture) <= format.tolerance + 0.5)
    }

    @Test func anImpossibleOrientationIsUpright() throws {
        let block = ExifBlock(orientation: 9)
        let file = Splice.exif(block, intoJPEG: try Self.scene.file(SceneFile(.jpeg())))
        let made = try make(file, facts(.jpeg, 240, 160, exif: block, in: file))
        #expect(made.source.orientation == 1)
        #expect(made.rendition.size == PlannedSize(width: 240, height: 160))
    }
}
