public import Vips

/// A silent film: scenes one after the other as JPEGs in an AVI.
public struct Reel: Sendable {
    public var width: Int
    public var height: Int
    public var frames: Int
    public var framesPerSecond = 10

    public init(width: Int, height: Int, frames: Int) {
        self.width = width
        self.height = height
        self.frames = frames
    }

    /// The whole file.
    public func file() throws(VipsError) -> [UInt8] {
        var pictures: [[UInt8]] = []
        for number in 0..<frames {
            let scene = Scene(width: width, height: height, seed: 1 + number / framesPerSecond, detail: 2)
            pictures.append(try scene.file(SceneFile(.jpeg(quality: 75))))
        }
        var index: [UInt8] = []
        var movie = Array("movi".utf8)
        for picture in pictures {
            // Where each chunk is, counted from "movi"; every frame is a key frame (0x10).
            index +=
                Array("00dc".utf8) + little(UInt32(0x10)) + little(UInt32(movie.count)) + little(UInt32(picture.count))
            movie += riff("00dc", picture)
        }
        let largest = pictures.map(\.count).max() ?? 0
        let body = riff("LIST", header(largest)) + riff("LIST", movie) + riff("idx1", index)
        return riff("RIFF", Array("AVI ".utf8) + body)
    }

    private func header(_ largest: Int) -> [UInt8] {
        func words(_ values: [Int]) -> [UInt8] { values.flatMap { little(UInt32($0)) } }
        let main = words([1_000_000 / framesPerSecond, largest * framesPerSecond, 0, 0x10, frames, 0, 1, largest])
        let stream = Array("vidsMJPG".utf8) + words([0, 0, 0, 1, framesPerSecond, 0, frames, largest, 0, 0])
        let rectangle = [0, 0, width, height].flatMap { little(UInt16($0)) }
        let bitmap = words([40, width, height]) + little(UInt16(1)) + little(UInt16(24)) + Array("MJPG".utf8)
        return Array("hdrl".utf8)
            + riff("avih", main + words([width, height, 0, 0, 0, 0]))
            + riff(
                "LIST",
                Array("strl".utf8) + riff("strh", stream + rectangle)
                    + riff("strf", bitmap + words([width * height * 3, 0, 0, 0, 0])))
    }
}
