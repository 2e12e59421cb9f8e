/// Durations for messages.
enum Seconds {
    /// `30` or `30.25`: without zeros at the end.
    static func text(_ milliseconds: Int) -> String {
        let fraction = milliseconds % 1000
        guard fraction != 0 else { return "\(milliseconds / 1000)" }
        var digits = String(repeating: "0", count: 3 - "\(fraction)".count) + "\(fraction)"
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(milliseconds / 1000).\(digits)"
    }
}
