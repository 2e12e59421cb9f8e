/// How high a notification's card will be on each phone.
///
/// The width of a card is in no document; that of the screen is its upper bound, so that a height is one too.
public struct CardGeometry: Codable, Equatable, Sendable {
    /// Width of the screen, upright, in points.
    public var screenWidth: Int
    /// Predicted height of the content extension's view, in points.
    public var height: Int

    /// Screens of one width.
    public struct Screen: Equatable, Sendable {
        /// In points.
        public let width: Int
        /// Pixels a point; two of them where phones of one width differ.
        public let scales: [Int]
        /// The phones.
        public let phones: String
    }

    /// Portrait screens (lists of sonjh1217 and alpatiev), from the narrowest to the widest.
    public static let screens = [
        Screen(width: 320, scales: [2], phones: "SE 1, 5"),
        Screen(width: 375, scales: [2, 3], phones: "SE 2-3, 8; X, XS, 11 Pro, 12-13 mini"),
        Screen(width: 390, scales: [3], phones: "12, 13, 14, 16e"),
        Screen(width: 393, scales: [3], phones: "14 Pro, 15, 15 Pro, 16"),
        Screen(width: 402, scales: [3], phones: "16 Pro, 17, 17 Pro"),
        Screen(width: 414, scales: [2, 3], phones: "XR, 11; XS Max, 11 Pro Max, Plus"),
        Screen(width: 420, scales: [3], phones: "Air"),
        Screen(width: 428, scales: [3], phones: "12-13 Pro Max, 14 Plus"),
        Screen(width: 430, scales: [3], phones: "14 Pro Max, 15-16 Plus"),
        Screen(width: 440, scales: [3], phones: "16-17 Pro Max"),
        Screen(width: 744, scales: [2], phones: "iPad mini 6"),
        Screen(width: 768, scales: [2], phones: "iPad 9.7"),
        Screen(width: 810, scales: [2], phones: "iPad 10.2"),
        Screen(width: 820, scales: [2], phones: "iPad 10.9, Air"),
        Screen(width: 834, scales: [2], phones: "iPad Pro 11"),
        Screen(width: 1024, scales: [2], phones: "iPad Pro 12.9"),
        Screen(width: 1032, scales: [2], phones: "iPad Pro 13"),
    ]

    /// The card on each screen.
    ///
    /// - Parameter contentSizeRatio: height / width, as `content_size_ratio` of a manifest; more than 0.
    public static func cards(contentSizeRatio: Double) -> [CardGeometry] {
        screens.map { screen in
            CardGeometry(
                screenWidth: screen.width, height: Int((Double(screen.width) * contentSizeRatio).rounded()))
        }
    }

    enum CodingKeys: String, CodingKey {
        case screenWidth = "screen_width_pt"
        case height = "height_pt"
    }
}
