/// Something odd about a source that was accepted all the same.
public struct Note: Codable, Equatable, Hashable, Sendable {
    public var code: Code
    /// One sentence for a person.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Stable words for the oddities.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// Bytes follow the end of the picture (camera data, motion photo); they are dropped.
        case trailingBytes = "trailing-bytes"
        /// Bytes that belong to nothing lie between two segments; they are dropped.
        case strayBytes = "stray-bytes"
        /// The colour profile is broken or does not fit the picture; it was ignored.
        case profileIgnored = "profile-ignored"
        /// Only the first frame or page was used.
        case firstFrameOnly = "first-frame-only"
        /// The chain of pages runs in a circle; it was cut there.
        case pageLoop = "page-loop"
        /// The container's own rotation was used, not a disagreeing EXIF orientation.
        case containerOrientation = "container-orientation"
        /// A part that carries no pixels is damaged; it was ignored.
        case damagedMetadata = "damaged-metadata"
        /// Only key frames of the film were decoded, because decoding all would take too long.
        case keyFramesOnly = "key-frames-only"
        /// There is no still picture of the film.
        case noPoster = "no-poster"
    }
}
