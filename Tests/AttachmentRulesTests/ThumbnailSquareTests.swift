import AttachmentRules
import Testing

@Suite struct ThumbnailSquareTests {
    struct Size: Sendable, CustomTestStringConvertible {
        var width: Int
        var height: Int
        var offset: Int?
        var testDescription: String { "\(width)x\(height) from \(offset.map(String.init) ?? "the middle")" }
    }

    static let sizes: [Size] = [
        (800, 600), (600, 800), (600, 600), (1, 1), (2, 1), (1_067, 600), (3_495, 600), (24, 3_976),
    ].flatMap { width, height in
        let room = abs(width - height)
        return [nil, 0, room / 3, room / 2, room].map { Size(width: width, height: height, offset: $0) }
    }

    @Test("inside of the picture, square in pixels, four decimals", arguments: sizes)
    func square(_ size: Size) {
        let square = UnitRectangle.square(ofWidth: size.width, height: size.height, offset: size.offset)
        #expect(square.x >= 0 && square.y >= 0 && square.width > 0 && square.height > 0)
        #expect(square.x + square.width <= 1 && square.y + square.height <= 1)
        #expect(abs(square.width * Double(size.width) - square.height * Double(size.height)) <= 1)
        for value in [square.x, square.y, square.width, square.height] {
            #expect(value == (value * 10_000).rounded() / 10_000)
        }
        if let offset = size.offset {
            let begin = size.width >= size.height ? square.x * Double(size.width) : square.y * Double(size.height)
            #expect(abs(begin - Double(offset)) <= 1)
        }
    }

    @Test("the middle is that of the reference") func middle() {
        #expect(
            UnitRectangle.square(ofWidth: 800, height: 600, offset: nil)
                == UnitRectangle(x: 0.125, y: 0, width: 0.75, height: 1))
    }
}
