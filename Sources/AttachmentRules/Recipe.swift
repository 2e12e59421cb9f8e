/// What is asked of every picture: the settings that decide the bytes of a rendition.
public struct Recipe: Codable, Equatable, Sendable {
    /// Longest allowed short edge of the result, in pixels; a smaller picture is never enlarged.
    public var shortEdge = 600
    /// JPEG quality (libjpeg's Q, 1 to 100) used when the result fits the budget with it.
    public var quality = 80
    /// Lowest quality before pixels step down. Measured: down to about Q 20 a lower quality looks better than a
    /// smaller picture at the size shown, below it the smaller picture wins.
    public var qualityFloor = 20
    /// Hard limit for the result, in bytes; there is no exception to it.
    public var maxBytes = 100_000
    /// What transparency is flattened on.
    public var background = Background.white
    /// Largest decoded bitmap of the result, in bytes: the image's share of the 24 MiB that a notification service
    /// extension may use. 8 MiB less 128 KiB, so that even one that decodes and draws a picture anew, with two files of
    /// 100,000 bytes beside two bitmaps and the assumed 8 MiB of its own, stays within them.
    public var imageShareBytes = (8 << 20) - (128 << 10)

    public init() {}

    /// An opaque sRGB colour, 0 to 255 a component.
    public struct Background: Codable, Equatable, Sendable {
        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8

        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        public static let white = Background(red: 255, green: 255, blue: 255)

        /// Reads `#rrggbb` or `rrggbb`.
        public init?(hex: String) {
            let digits = hex.hasPrefix("#") ? hex.dropFirst() : hex[...]
            guard digits.utf8.count == 6, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt32(digits, radix: 16)
            else { return nil }
            self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
        }

        /// `#rrggbb`, lower case.
        public var hex: String {
            let value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
            let digits = String(value, radix: 16)
            return "#" + String(repeating: "0", count: 6 - digits.count) + digits
        }
    }
}
