import AttachmentRules
import Testing

@Suite struct DecodedMemoryTests {
    struct Example: CustomTestStringConvertible {
        var width: Int
        var height: Int
        var bits = 8
        var rowBytes: Int
        var bitmapBytes: Int
        var testDescription: String { "\(width)x\(height), \(bits) bit" }
    }

    static let examples = [
        Example(width: 600, height: 600, rowBytes: 2432, bitmapBytes: 1_459_200),
        Example(width: 1200, height: 600, rowBytes: 4800, bitmapBytes: 2_880_000),
        Example(width: 1038, height: 1038, rowBytes: 4160, bitmapBytes: 4_318_080),
        Example(width: 2000, height: 1000, rowBytes: 8000, bitmapBytes: 8_000_000),
        Example(width: 3000, height: 2000, rowBytes: 12032, bitmapBytes: 24_064_000),
        Example(width: 4032, height: 3024, rowBytes: 16128, bitmapBytes: 48_771_072),
        Example(width: 6000, height: 600, rowBytes: 24000, bitmapBytes: 14_400_000),
        Example(width: 1200, height: 600, bits: 16, rowBytes: 9600, bitmapBytes: 5_760_000),
        Example(width: 300, height: 1, rowBytes: 1216, bitmapBytes: 1216),
    ]

    @Test("rows are aligned and the bitmap follows the dimensions", arguments: examples)
    func bitmap(_ example: Example) {
        let memory = DecodedMemory(width: example.width, height: example.height, bitsPerComponent: example.bits)
        #expect(memory.rowBytes == example.rowBytes)
        #expect(memory.bitmapBytes == example.bitmapBytes)
    }

    @Test("the footprint counts whole pages, and every scenario its own sum")
    func peaks() {
        let memory = DecodedMemory(width: 800, height: 600, bitsPerComponent: 8)
        #expect(memory.residentBytes == 1_933_312)
        let peaks = memory.peaks(fileBytes: 61_234, frames: 1)
        #expect(peaks.attachStream == 8_388_608)
        #expect(peaks.attachData == 8_449_842)
        #expect(peaks.display == 10_383_154)
        #expect(peaks.displayCopy == 12_316_466)
        #expect(peaks.reencodeInExtension == 12_377_700)
        #expect(peaks.animateAll == 10_383_154)
    }

    @Test("dimensions that overflow are a very large size, not a small one")
    func overflow() {
        let memory = DecodedMemory(width: 1 << 31, height: 1 << 31, bitsPerComponent: 16)
        #expect(memory.bitmapBytes > 1 << 60)
    }
}
