/// What a sound or film is, measured by reading all of it.
public struct ClipFacts: Codable, Equatable, Sendable {
    /// From the first packet's start to the last one's end, in milliseconds.
    public var durationMilliseconds: Int
    /// What the container's header says, in milliseconds; nil where it says nothing.
    public var headerMilliseconds: Int?
    public var video: Video?
    public var audio: Audio?
    /// False where only key frames were decoded, because decoding all would take too long.
    public var isDecodedWhole = true
    /// Of a film, where its still picture is taken from, in milliseconds from its start.
    public var stillMilliseconds: Int?

    public init(durationMilliseconds: Int) {
        self.durationMilliseconds = durationMilliseconds
    }

    enum CodingKeys: String, CodingKey {
        case durationMilliseconds = "duration_ms"
        case headerMilliseconds = "header_duration_ms"
        case video, audio
        case isDecodedWhole = "decoded_whole"
        case stillMilliseconds = "still_ms"
    }

    /// As what it is published whose content is of `type`: a container of MPEG-4 without a film is sound.
    public func published(as type: MediaType) -> MediaType {
        switch (type, video) {
        case (.mp4, nil), (.m4v, nil): .m4a
        case (.m4a, .some): .mp4
        default: type
        }
    }

    /// The film's first video track; a cover picture is none.
    public struct Video: Codable, Equatable, Sendable {
        /// libavcodec's name.
        public var codec: String
        /// As shown, in pixels: upright, with square pixels.
        public var width: Int
        public var height: Int
        /// Frames that were decoded.
        public var frames: Int

        public init(codec: String, width: Int, height: Int, frames: Int) {
            self.codec = codec
            self.width = width
            self.height = height
            self.frames = frames
        }

        enum CodingKeys: String, CodingKey {
            case codec
            case width = "width_px"
            case height = "height_px"
            case frames
        }
    }

    /// The first audio track.
    public struct Audio: Codable, Equatable, Sendable {
        /// libavcodec's name.
        public var codec: String
        /// Hertz.
        public var sampleRate: Int
        public var channels: Int

        public init(codec: String, sampleRate: Int, channels: Int) {
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
        }

        enum CodingKeys: String, CodingKey {
            case codec
            case sampleRate = "sample_rate_hz"
            case channels
        }
    }
}
