import AttachmentRules
import Foundation
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
        Example(width: 1200, height: 1200, rowBytes: 4800, bitmapBytes: 5_760_000),
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

    @Test("a smaller picture, another result and another base have their own sums")
    func parameters() {
        let memory = DecodedMemory(width: 4032, height: 3024, bitsPerComponent: 8)
        let target = DecodedMemory(width: 800, height: 600, bitsPerComponent: 8)
        let peaks = memory.peaks(fileBytes: 2_000_000, outBytes: 60_000, frames: 1, target: target, base: 1_000_000)
        #expect(peaks.downsample == 3_000_000 + 1_933_312)
        #expect(peaks.reencodeInExtension == 3_000_000 + 2 * memory.residentBytes + 60_000)
        #expect(peaks.attachStream == 1_000_000)
    }

    @Test("the figures of Apple's talks are met within their rounding")
    func talks() {
        // WWDC18-416: 2048x1536 pixels of four bytes, said to be 10 MB and in truth 12.6; wide format doubles it.
        let beach = DecodedMemory(width: 2048, height: 1536, bitsPerComponent: 8)
        #expect(beach.bitmapBytes == 12_582_912)
        #expect(DecodedMemory(width: 2048, height: 1536, bitsPerComponent: 16).bitmapBytes == 2 * beach.bitmapBytes)
        // WWDC18-219: a process of 31.5 MB that shows 3000x2000 pixels.
        let photo = DecodedMemory(width: 3000, height: 2000, bitsPerComponent: 8)
        let display = photo.peaks(fileBytes: 0, frames: 1).display
        #expect(abs(Double(display) - 31.5e6) < 1.1e6)
        // Ten frames of a GIF: 5.53 MB.
        let frame = DecodedMemory(width: 480, height: 288, bitsPerComponent: 8)
        #expect(abs(Double(10 * frame.bitmapBytes) - 5.53e6) < 0.01e6)
        // A row of 300 pixels was measured with 1216 bytes.
        #expect(DecodedMemory(width: 300, height: 1, bitsPerComponent: 8).rowBytes == 1216)
    }

    @Test("a budget warns above 80 per cent and fails above 100")
    func standing() {
        let budget = MemoryBudget.serviceExtension.limitBytes
        #expect(budget == 25_165_824)
        #expect(MemoryBudget.Standing(20_132_659, of: budget) == .ok)
        #expect(MemoryBudget.Standing(20_132_660, of: budget) == .warning)
        #expect(MemoryBudget.Standing(budget, of: budget) == .warning)
        #expect(MemoryBudget.Standing(budget + 1, of: budget) == .error)
        #expect(MemoryBudget.Standing(10_066_329, of: MemoryBudget.oldServiceExtension.limitBytes) == .ok)
        #expect(MemoryBudget.content2019.limitBytes == 125_829_120)
    }

    @Test("the example of a manifest: 800x600 in 61,234 bytes")
    func verdicts() {
        let memory = DecodedMemory(width: 800, height: 600, bitsPerComponent: 8)
        var profile = Profile.ios
        profile.oldestSystem = 12
        let verdicts = profile.verdicts(on: memory, peaks: memory.peaks(fileBytes: 61_234, frames: 1))
        #expect(
            verdicts.mapValues(\.verdict) == [
                "nse-ios13": .ok, "nse-ios12": .warning, "content-design": .ok, "content-2019": .ok, "image-share": .ok,
            ])
        #expect(verdicts["nse-ios12"]?.scenario == .reencodeInExtension)
        #expect(verdicts["content-design"]?.scenario == .displayCopy)
    }

    @Test("a manifest tells of budgets, and one from before them is read all the same")
    func manifest() throws {
        let decoded = DecodedMemory(width: 800, height: 600, bitsPerComponent: 8)
        var memory = Manifest.Memory(decoded, fileBytes: 61_234)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let before = try encoder.encode(memory)
        #expect(try JSONDecoder().decode(Manifest.Memory.self, from: before) == memory)
        memory.budgets = memory.peaks.map { Profile.ios.verdicts(on: decoded, peaks: $0) }
        let text = String(decoding: try encoder.encode(memory), as: UTF8.self)
        #expect(
            text.contains(
                #""nse-ios13":{"limit_bytes":25165824,"scenario":"reencode_in_nse","verdict":"ok"}"#))
        #expect(try JSONDecoder().decode(Manifest.Memory.self, from: Data(text.utf8)) == memory)
    }

    @Test("whatever overflows is as large as can be, not small", arguments: [1 << 31, .max])
    func overflow(_ number: Int) {
        let memory = DecodedMemory(width: 1 << 31, height: 1 << 31, bitsPerComponent: 16)
        #expect(memory.bitmapBytes == .max)
        #expect(memory.residentBytes > 1 << 62)
        let peaks = memory.peaks(fileBytes: number, frames: number, target: memory)
        #expect(min(peaks.display, peaks.displayCopy, peaks.reencodeInExtension, peaks.animateAll) > 1 << 62)
        #expect(MemoryBudget.Standing(peaks.displayCopy, of: 24 << 20) == .error)
    }
}
