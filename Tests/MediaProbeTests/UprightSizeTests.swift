import AttachmentRules
import MediaProbe
import Testing

/// How large a picture is when it is shown, told without a decoder.
@Suite struct UprightSizeTests {
    private func upright(_ bytes: [UInt8]) throws -> UprightSize {
        let facts = try MediaProbe.examine(bytes.span, limits: Limits())
        return MediaProbe.upright(bytes.span, facts: facts, limits: Limits())
    }

    /// A directory with one entry: the orientation.
    private static func block(_ orientation: UInt8) -> [UInt8] {
        ascii("II*\0") + little32(8) + [1, 0, 0x12, 0x01, 3, 0] + little32(1) + [orientation, 0, 0, 0] + little32(0)
    }

    private func jpeg(_ block: [UInt8]) -> [UInt8] {
        JpegBuilder.file(
            JpegBuilder.jfif, JpegBuilder.exif(block), JpegBuilder.quantization, JpegBuilder.frame(),
            JpegBuilder.huffman, JpegBuilder.scan())
    }

    @Test("an EXIF orientation turns a JPEG", arguments: UInt8(0)...10)
    func exif(_ orientation: UInt8) throws {
        let plain = try upright(JpegBuilder.baseline)
        let found = try upright(jpeg(Self.block(orientation)))
        #expect(found.orientation == ((1...8).contains(orientation) ? Int(orientation) : 1))
        let isTurned = (5...8).contains(orientation)
        #expect(found.width == (isTurned ? plain.height : plain.width))
        #expect(found.height == (isTurned ? plain.width : plain.height))
    }

    @Test(
        "a block that is none turns nothing",
        arguments: [
            [UInt8](repeating: 0xFF, count: 40), Array(block(6).prefix(12)), ascii("II*\0") + little32(1 << 30),
        ])
    func broken(_ block: [UInt8]) throws {
        #expect(try upright(jpeg(block)).orientation == 1)
    }

    @Test("a HEIF's container turns it the other way round", arguments: zip(0...3, [1, 8, 3, 6]))
    func container(quarters: Int, orientation: Int) throws {
        var heif = HeifBuilder()
        heif.properties.append(HeifBuilder.box("irot", [UInt8(quarters)]))
        heif.items[0].properties = [1, 2, 3]
        let found = try upright(heif.bytes)
        #expect(found.orientation == orientation)
        let size = orientation >= 5 ? (48, 64) : (64, 48)
        #expect((found.width, found.height) == size)
    }

    @Test("and crops it first") func crop() throws {
        var heif = HeifBuilder()
        heif.properties += [HeifBuilder.crop([61, 1, 95, 2, 0, 1, 0, 1]), HeifBuilder.box("irot", [1])]
        heif.items[0].properties = [1, 2, 3, 4]
        let found = try upright(heif.bytes)
        #expect((found.width, found.height) == (48, 61))
    }
}
