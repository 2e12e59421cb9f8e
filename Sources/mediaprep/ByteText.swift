/// Numbers of bytes for people.
enum ByteText {
    /// `2.4 MiB (2481234)`; the exact number alone below 1 KiB.
    static func both(_ bytes: Int) -> String {
        bytes < 1 << 10 ? "\(bytes) B" : "\(short(bytes)) (\(bytes))"
    }

    /// `2.4 MiB`: one decimal.
    static func short(_ bytes: Int) -> String {
        var unit = 0
        var divisor = 1
        while unit < units.count - 1, bytes / divisor >= 1 << 10 {
            divisor <<= 10
            unit += 1
        }
        guard unit > 0 else { return "\(bytes) B" }
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: divisor)
        let tenth = rest / (divisor / 10)
        return "\(whole).\(min(tenth, 9)) \(units[unit])"
    }

    private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
}
