import AttachmentRules
import JobProtocol
import Scenes
import Testing
import Vips

@testable import MediaPipeline

/// The square that a thumbnail shows of a picture.
@Suite struct FocusTests {
    /// A grey picture with one disc in it.
    private static func disc(
        width: Int, height: Int, x: Int, y: Int, radius: Int, color: [UInt8] = [220, 60, 40]
    ) -> Pixels {
        let pixels = Pixels(width: width, height: height, bands: 3)
        for row in 0..<height {
            for column in 0..<width {
                let isInside = (column - x) * (column - x) + (row - y) * (row - y) <= radius * radius
                for band in 0..<3 { pixels.row(row)[column * 3 + band] = isInside ? color[band] : 128 }
            }
        }
        return pixels
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var width = 900
        var height = 600
        var x: Int
        var y: Int
    }

    @Test(
        "a subject off the centre is inside of the square",
        arguments: [
            Case(testDescription: "left", x: 150, y: 300), Case(testDescription: "right", x: 760, y: 200),
            Case(testDescription: "right, low", x: 800, y: 500),
            Case(testDescription: "top of a portrait", width: 600, height: 900, x: 200, y: 120),
            Case(testDescription: "bottom of a portrait", width: 600, height: 900, x: 400, y: 780),
            Case(testDescription: "panorama", width: 2_400, height: 300, x: 1_900, y: 150),
            Case(testDescription: "tower", width: 120, height: 1_000, x: 60, y: 300),
        ])
    func subject(_ test: Case) throws {
        let radius = min(test.width, test.height) / 8
        let pixels = Self.disc(width: test.width, height: test.height, x: test.x, y: test.y, radius: radius)
        let focus = Focus.offset(in: pixels)
        let offset = try #require(focus)
        let side = min(test.width, test.height)
        let along = test.width > test.height ? test.x : test.y
        #expect(offset <= along - radius && along + radius <= offset + side, "\(offset)")
    }

    @Test(
        "where no place is better than another, none is named",
        arguments: [[128, 128, 128], [250, 10, 10], [0, 0, 0]])
    func flat(_ color: [UInt8]) {
        let pixels = Pixels(width: 300, height: 200, bands: 3)
        for index in pixels.samples.indices { pixels.samples[index] = color[index % 3] }
        let focus = Focus.offset(in: pixels)
        #expect(focus == nil)
    }

    @Test("a square needs no place") func square() {
        let focus = Focus.offset(in: Self.disc(width: 300, height: 300, x: 40, y: 40, radius: 30))
        #expect(focus == nil)
    }

    @Test("the smallest pictures have a place inside of them", arguments: [(2, 1), (1, 2), (3, 1), (40, 7), (1, 500)])
    func tiny(width: Int, height: Int) {
        let pixels = Self.disc(width: width, height: height, x: width - 1, y: height - 1, radius: 0)
        let offset = Focus.offset(in: pixels) ?? 0
        #expect((0...abs(width - height)).contains(offset))
    }

    /// libvips shrinks with another kernel, so the best of 32 places may be a neighbour.
    @Test("the place is that of libvips", arguments: 1...12)
    func reference(seed: Int) throws {
        let (width, height) = seed.isMultiple(of: 2) ? (900, 600) : (480, 800)
        let image = try Scene(width: width, height: height, seed: seed, detail: 6).image()
        let pixels = Pixels(width: width, height: height, bands: 3)
        try image.forEachStrip { top, rows, samples, stride in
            for row in 0..<rows {
                UnsafeMutableRawPointer(pixels.row(top + row))
                    .copyMemory(from: samples + row * stride, byteCount: width * 3)
            }
        }
        let side = min(width, height)
        let expected = try VipsImage.over(pixels.bytes, width: width, height: height, space: .sRGB)
            .attention(width: side, height: side)
        let attention = Attention(pixels)
        let found = try #require(attention.centre(side: side))
        #expect(abs(found.x - expected.x) <= width / 16, "\(found) instead of \(expected)")
        #expect(abs(found.y - expected.y) <= height / 16, "\(found) instead of \(expected)")
    }

    @Test("a rendition tells its place") func rendition() throws {
        let made = try make(Scene(width: 900, height: 600, seed: 4).file(SceneFile(.jpeg())), facts(.jpeg, 900, 600))
        #expect((0...300).contains(try #require(made.rendition.focus)))
    }
}
