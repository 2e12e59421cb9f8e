/// An ICC profile as far as it decides what is done with the pixels; every read is checked against the profile's end.
///
/// Read from ICC.1:2022 (and ICC.1:2001 for version 2's `desc`).
public struct ColorProfile: Equatable, Sendable {
    /// The profile's own name, at most 80 characters.
    public let description: String?
    /// What kind of pixels it describes.
    public let space: Space
    /// True when converting to sRGB would change no pixel by more than about one step of 255.
    public let isSRGB: Bool

    /// The data colour spaces that our pictures can have.
    public enum Space: Equatable, Sendable {
        case gray, rgb, cmyk, lab, other
    }

    /// Most bytes of a profile; those of printing presses have about two million.
    public static let mostBytes = 4 << 20

    /// nil when the bytes are no profile of a device or a colour space whose tags lie all inside it.
    public init?(_ bytes: [UInt8]) {
        let reader = ICCReader(bytes)
        guard bytes.count <= Self.mostBytes, reader.isSound else { return nil }
        space =
            switch reader.signature(16) {
            case "GRAY": .gray
            case "RGB ": .rgb
            case "CMYK": .cmyk
            case "Lab ": .lab
            default: .other
            }
        description = reader.tag("desc").flatMap(reader.text).map { String($0.prefix(80)) }
        isSRGB = space == .rgb && Self.matchesSRGB(reader)
    }

    /// A sound profile, and its bytes up to the length that it gives itself.
    static func sound(_ bytes: [UInt8]) -> (profile: ColorProfile, bytes: [UInt8])? {
        guard let profile = ColorProfile(bytes), let size = ICCReader(bytes).u32(0) else { return nil }
        return (profile, Array(bytes.prefix(size)))
    }

    private static func matchesSRGB(_ reader: ICCReader) -> Bool {
        // With a table from device to connection space, the matrix is not what a converter uses.
        guard reader.tag("A2B0") == nil, reader.tag("A2B1") == nil else { return false }
        for (name, expected) in primaries {
            guard let tag = reader.tag(name), let found = reader.xyz(tag) else { return false }
            for (a, b) in zip(found, expected) where abs(a - b) > 0.002 { return false }
        }
        for name in ["rTRC", "gTRC", "bTRC"] {
            guard let tag = reader.tag(name), let curve = ToneCurve(reader, at: tag), curve.isSRGB else { return false }
        }
        return true
    }

    /// sRGB's primaries adapted to D50 (IEC 61966-2-1 and the profile that the ICC publishes).
    private static let primaries: [(String, [Double])] = [
        ("rXYZ", [0.4361, 0.2225, 0.0139]),
        ("gXYZ", [0.3851, 0.7169, 0.0971]),
        ("bXYZ", [0.1431, 0.0606, 0.7141]),
    ]
}
