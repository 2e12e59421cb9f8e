/// What a phone needs to hold and show one decoded picture, in bytes.
///
/// Memory follows the dimensions, not the file: four bytes a pixel (eight above 8 bits a component), rows aligned to
/// 64 bytes because an unaligned backing store makes Core Animation copy it, and whole dirty pages of 16 KiB counted
/// (WWDC18 sessions 416 and 219).
public struct DecodedMemory: Equatable, Sendable {
    /// Rows are laid out in multiples of this, in bytes.
    public static let rowAlignment = 64
    /// The footprint counts pages of this size, in bytes.
    public static let pageBytes = 16_384
    /// What the extension process uses before it holds a picture, in bytes: our assumption, from the 7.4 MB of
    /// WWDC18-219's example process.
    public static let assumedBase = 8 << 20

    /// 4 for 8-bit components, 8 above; a phone draws grey pictures as RGBA too.
    public let bytesPerPixel: Int
    /// Length of one row with its alignment, in bytes.
    public let rowBytes: Int
    /// One decoded frame, in bytes.
    public let bitmapBytes: Int
    /// One decoded frame in whole pages, in bytes.
    public let residentBytes: Int

    /// - Parameters:
    ///   - width: in pixels, 0 to 2^31.
    ///   - height: in pixels, 0 to 2^31.
    ///   - bitsPerComponent: as stored in the file.
    public init(width: Int, height: Int, bitsPerComponent: Int) {
        bytesPerPixel = bitsPerComponent > 8 ? 8 : 4
        rowBytes = Self.roundedUp(width * bytesPerPixel, to: Self.rowAlignment)
        bitmapBytes = Self.product(rowBytes, height)
        residentBytes = Self.roundedUp(bitmapBytes, to: Self.pageBytes)
    }

    /// The most that an extension uses with this picture, by what it does with it.
    ///
    /// - Parameters:
    ///   - fileBytes: length of the file that is attached, in bytes.
    ///   - outBytes: length of what the extension encodes it to, in bytes; nil for as much as it reads.
    ///   - frames: frames of the picture.
    ///   - target: the picture that an extension makes of it while it decodes; nil where it makes none.
    ///   - base: what the process uses before, in bytes.
    public func peaks(
        fileBytes: Int, outBytes: Int? = nil, frames: Int, target: DecodedMemory? = nil, base: Int = assumedBase
    ) -> Peaks {
        Peaks(
            attachStream: base,
            attachData: Self.sum(base, fileBytes),
            display: Self.sum(base, fileBytes, residentBytes),
            displayCopy: Self.sum(base, fileBytes, residentBytes, residentBytes),
            reencodeInExtension: Self.sum(base, fileBytes, residentBytes, residentBytes, outBytes ?? fileBytes),
            animateAll: Self.sum(base, fileBytes, Self.product(frames, residentBytes)),
            downsample: target.map { Self.sum(base, fileBytes, $0.residentBytes) })
    }

    /// Peak footprint per scenario, in bytes.
    public struct Peaks: Codable, Equatable, Sendable {
        /// The file is moved into the store without being read.
        public var attachStream: Int
        /// The file is read into memory first.
        public var attachData: Int
        /// The picture is decoded once and shown.
        public var display: Int
        /// Decoded, and copied by Core Animation or into a second buffer.
        public var displayCopy: Int
        /// Decoded, drawn again and encoded by the extension.
        public var reencodeInExtension: Int
        /// Every frame is decoded and kept.
        public var animateAll: Int
        /// Decoded to the size that is needed and no larger.
        public var downsample: Int?

        enum CodingKeys: String, CodingKey {
            case attachStream = "attach_stream"
            case attachData = "attach_data"
            case display
            case displayCopy = "display_copy"
            case reencodeInExtension = "reencode_in_nse"
            case animateAll = "animate_all"
            case downsample
        }
    }

    // What does not fit in a number is the largest there is: too much for every budget.
    private static func sum(_ terms: Int...) -> Int {
        terms.reduce(0) { total, term in
            let (sum, overflow) = total.addingReportingOverflow(term)
            return overflow ? .max : sum
        }
    }

    private static func product(_ one: Int, _ other: Int) -> Int {
        let (product, overflow) = one.multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    private static func roundedUp(_ value: Int, to step: Int) -> Int {
        sum(value, step - 1) / step * step
    }
}
