import AttachmentRules
import Kernel
import MediaProbe
import Scenes
import Testing

@testable import Service

/// The memory file that a decoder is handed.
@Suite struct DecoderInputTests {
    private func input(_ bytes: [UInt8]) throws -> DecoderInput {
        let file = try MemoryFile.create(name: "picture")
        try bytes.withUnsafeBytes { try file.append($0) }
        let limits = Limits()
        return try DecoderInput(
            file.seal(), facts: MediaProbe.examine(bytes.span, limits: limits), limits: limits)
    }

    private func content(_ input: borrowing DecoderInput) -> [UInt8]? {
        input.file?.withUnsafeBytes { [UInt8]($0) }
    }

    @Test func aCleanPictureIsShownAsItIs() throws {
        let bytes = try Scene(width: 40, height: 30).file(SceneFile(.jpeg()))
        let input = try input(bytes)
        #expect(content(input) == nil)
        #expect(input.pictureBytes == bytes.count)
        #expect(input.facts.exif == nil)
    }

    @Test func anEXIFBlockStandsBehindThePicture() throws {
        let plain = try Scene(width: 40, height: 30).file(SceneFile(.jpeg()))
        let block = ExifBlock(orientation: 6, hasGPS: true)
        let input = try input(Splice.xmp("somewhere", intoJPEG: Splice.exif(block, intoJPEG: plain)))
        #expect(content(input) == plain + block.bytes)
        #expect(input.pictureBytes == plain.count)
        #expect(input.facts.exif == plain.count..<plain.count + block.bytes.count)
    }
}
