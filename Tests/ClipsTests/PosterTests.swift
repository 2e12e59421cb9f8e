import AttachmentRules
import ClipFixtures
import Testing
import Vips

@testable import Clips

/// The still picture of a film.
@Suite struct PosterTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let matrix: [Int32]
        let quarters: [String]
        var isSideways = false
    }

    static let one: Int32 = 1 << 16

    @Test(arguments: [
        Case(testDescription: "as it is", matrix: [one, 0, 0, one], quarters: ["red", "green", "blue", "white"]),
        Case(
            testDescription: "a quarter to the right", matrix: [0, one, -one, 0],
            quarters: ["blue", "red", "white", "green"], isSideways: true),
        Case(testDescription: "head down", matrix: [-one, 0, 0, -one], quarters: ["white", "blue", "green", "red"]),
        Case(
            testDescription: "a quarter to the left", matrix: [0, -one, one, 0],
            quarters: ["green", "white", "red", "blue"], isSideways: true),
        Case(testDescription: "mirrored", matrix: [-one, 0, 0, one], quarters: ["green", "red", "white", "blue"]),
        Case(
            testDescription: "mirrored, head down", matrix: [one, 0, 0, -one],
            quarters: ["blue", "white", "red", "green"]),
        Case(
            testDescription: "rows as columns", matrix: [0, one, one, 0],
            quarters: ["red", "blue", "green", "white"], isSideways: true),
        Case(
            testDescription: "rows as columns, from the other end", matrix: [0, -one, -one, 0],
            quarters: ["white", "green", "blue", "red"], isSideways: true),
    ])
    func isUpright(_ test: Case) throws {
        let m = test.matrix
        let read = try Read(film { $0.matrix = [m[0], m[1], 0, m[2], m[3], 0, 0, 0, 1 << 30] })
        #expect(try quarters(of: read.poster) == test.quarters)
        let video = try #require(read.facts?.video)
        #expect((video.width, video.height) == (test.isSideways ? (240, 320) : (320, 240)))
    }

    @Test("pixels that are not square are made so")
    func pixelRatio() throws {
        let read = try Read(film { $0.pixelRatio = (2, 1) })
        let video = try #require(read.facts?.video)
        #expect((video.width, video.height) == (640, 240))
        let (width, height) = try size(of: read.poster)
        #expect((width, height) == (640, 240))
    }

    @Test("a black beginning is passed over")
    func black() throws {
        let read = try Read(
            film {
                $0.seconds = 4
                $0.blackSeconds = 2
            })
        #expect(try quarters(of: read.poster) == ["red", "green", "blue", "white"])
    }

    @Test("a film that is black all the time has a black picture")
    func allBlack() throws {
        let read = try Read(film { $0.blackSeconds = 5 })
        #expect(read.facts != nil && !read.poster.isEmpty)
    }

    @Test("a large one is scaled down")
    func large() throws {
        let read = try Read(
            film {
                $0.width = 2_048
                $0.height = 1_536
                $0.seconds = 0.2
                $0.audio = nil
            })
        let (width, height) = try size(of: read.poster)
        #expect((width, height) == (1_600, 1_200))
    }

    private func size(of poster: [UInt8]) throws -> (Int, Int) {
        try Vips.start()
        return try poster.withUnsafeBytes { bytes in
            let image = try VipsImage.load(.png, bytes)
            return (image.width, image.height)
        }
    }
}
