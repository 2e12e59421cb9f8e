internal import CAv

/// A film of four coloured quarters (red, green; blue, white), a tone, or both, made by libavformat for tests.
public struct Film: Sendable {
    /// libavformat's name of the container.
    public var container = "mp4"
    public var video: Video? = .mpeg4
    public var audio: Audio? = .aac
    public var seconds = 1.0
    public var width = 320
    public var height = 240
    /// How the film is to be turned, as nine numbers of 16 bits behind the point.
    public var matrix: [Int32]?
    /// Width of a pixel through its height.
    public var pixelRatio: (Int32, Int32) = (1, 1)
    /// Frames of this many seconds at the start are black.
    public var blackSeconds = 0.0
    /// In several pieces, with no duration in its header.
    public var isFragmented = false
    /// A cover picture, as music has.
    public var cover: [UInt8]?

    public init() {}

    public enum Video: String, Sendable {
        case mpeg4, mpeg2video, mjpeg, msmpeg4
    }

    public enum Audio: String, Sendable {
        case aac, mp2, flac, ac3, alac
        case pcm = "pcm_s16le"
    }

    /// The whole file.
    public func file() throws(FilmError) -> [UInt8] {
        let muxer = try Muxer(container)
        let pictures = try video.map { codec throws(FilmError) in try muxer.addVideo(self, codec.rawValue) }
        let sound = try audio.map { codec throws(FilmError) in try muxer.addAudio(codec.rawValue) }
        let still = try cover.map { _ throws(FilmError) in try muxer.addCover() }
        try muxer.begin(isFragmented: isFragmented)
        if let cover, let still { try muxer.write(cover, to: still) }
        if let pictures { try muxer.encode(on: pictures, count: Int(seconds * 25)) { fill($0, number: $1) } }
        if let sound {
            let count = Int(seconds * 44_100) / sound.frameSize
            try muxer.encode(on: sound, count: count) { frame, number in
                for plane in 0..<1 {
                    guard let data = frame.pointee.extended_data[plane] else { continue }
                    let bytes = Int(frame.pointee.linesize.0)
                    for offset in 0..<bytes { data[offset] = UInt8(truncatingIfNeeded: (offset / 64 + number) % 2 * 8) }
                }
            }
        }
        return try muxer.finish()
    }

    /// Brightness and colour differences of each quarter.
    private static let colors: [(UInt8, UInt8, UInt8)] = [
        (81, 90, 240), (145, 54, 34), (41, 240, 110), (235, 128, 128),
    ]

    private func fill(_ frame: UnsafeMutablePointer<AVFrame>, number: Int) {
        let isBlack = Double(number) / 25 < blackSeconds
        let planes = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
        let strides = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2]
        for plane in 0..<3 {
            guard let data = planes[plane] else { continue }
            let (w, h) = plane == 0 ? (width, height) : (width / 2, height / 2)
            for y in 0..<h {
                for x in 0..<w {
                    let color = Self.colors[(y * 2 / h) * 2 + x * 2 / w]
                    let value = plane == 0 ? color.0 : plane == 1 ? color.1 : color.2
                    data[y * Int(strides[plane]) + x] = isBlack ? (plane == 0 ? 16 : 128) : value
                }
            }
        }
    }
}

/// Which call of libav failed.
public struct FilmError: Error {
    public let call: String
}
