public import AttachmentRules

/// What a decoder is handed instead of a file: a stream with only the parts that its pixels are made from, so that
/// comments, thumbnails, compressed texts and whatever else a file carries never reach a parser written in C. Behind
/// the picture follows a copy of its EXIF block, for the EXIF reader alone.
///
/// For a file that was examined and admitted; of any other, what is handed over ends where its structure does.
public struct DecoderStream: Equatable, Sendable {
    /// A part of the stream.
    public enum Piece: Equatable, Sendable {
        /// Bytes of the file, as they are.
        case source(Range<Int>)
        /// Bytes that take the place of others, or stand in none of the file's.
        case new([UInt8])
    }

    /// The picture's own stream, piece after piece.
    public let picture: [Piece]
    /// The length of that stream.
    public let pictureBytes: Int
    /// The EXIF block without its MakerNotes; it follows the picture. Empty when there is none.
    public let exif: [UInt8]
    /// The facts, with offsets into this stream, and with a note when the file's colour profile was left out.
    public let facts: MediaFacts

    /// - Parameters:
    ///   - bytes: the file.
    ///   - facts: what `MediaProbe.examine` found in it.
    ///   - limits: those that it was examined with.
    ///   - allFrames: whether the frames of a GIF after the first stay in it, as many as its decoder takes.
    public init(of bytes: Span<UInt8>, facts: MediaFacts, limits: Limits, allFrames: Bool = false) {
        var facts = facts
        if facts.mediaType == .gif, allFrames {
            let last = GifStructure.decodableFrames
            let shown = try? GifStructure.examine(bytes, limits: limits, lastShown: last)
            facts.hiddenBytes = shown?.hiddenBytes ?? []
            facts.frames = min(facts.frames, last)
            facts.isComplete = facts.isComplete && shown?.isComplete == true
        }
        let rebuilt =
            switch facts.mediaType {
            case .jpeg: JpegStream.rebuilt(bytes)
            case .png, .apng: PngStream.rebuilt(bytes)
            case .webp: WebpStream.rebuilt(bytes)
            case .heic, .heif, .avif: HeifStream.rebuilt(bytes, limits: limits)
            case .gif:
                StreamBuilder(
                    of: bytes, without: facts.hiddenBytes + [bytes.count - facts.trailingBytes..<bytes.count])
            default: StreamBuilder(of: bytes, without: facts.hiddenBytes)
            }
        picture = rebuilt.pieces
        pictureBytes = picture.reduce(0) { $0 + $1.count }
        exif = facts.exif.map { ExifCopy.withoutMakerNotes(bytes, $0) } ?? []
        facts.hiddenBytes = []
        facts.exif = exif.isEmpty ? nil : pictureBytes..<pictureBytes + exif.count
        if rebuilt.ignoresProfile { facts.notes.append(.profileIgnored) }
        self.facts = facts
    }

    /// True when the stream is the file itself, byte for byte.
    ///
    /// - Parameter fileBytes: the file's length.
    public func isFile(of fileBytes: Int) -> Bool {
        exif.isEmpty && picture == [.source(0..<fileBytes)]
    }
}

extension DecoderStream.Piece {
    /// In bytes.
    public var count: Int {
        switch self {
        case .source(let range): range.count
        case .new(let bytes): bytes.count
        }
    }
}

extension Note {
    /// For a colour profile that was left out.
    public static let profileIgnored = Note(
        .profileIgnored, "The colour profile is broken or for another kind of picture; it was ignored.")
}
