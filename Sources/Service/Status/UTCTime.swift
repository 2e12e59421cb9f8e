internal import FoundationEssentials

/// A moment of the wall clock, for people to read: nothing is decided by it.
struct UTCTime: Sendable {
    let date: Date

    /// The wall clock now.
    static var now: UTCTime { UTCTime(date: Date()) }

    /// RFC 3339: `2026-12-01T02:41:45Z`.
    var text: String { date.formatted(.iso8601) }

    /// RFC 3339, with milliseconds.
    var milliseconds: String { date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

    /// The day: `2026-12-01`.
    var day: String { String(text.prefix(10)) }

    /// Whole seconds from a file's time to this one; 0 where that time is yet to come.
    func age(ofNanoseconds nanoseconds: Int64) -> Int {
        max(0, Int((date.timeIntervalSince1970 - Double(nanoseconds) / 1e9).rounded(.down)))
    }
}
