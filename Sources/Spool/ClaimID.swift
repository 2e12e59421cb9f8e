import Glibc
public import Kernel
import Synchronization

/// The name of a claim: 16 hexadecimal digits that rise with time, so that claims sort by age.
public struct ClaimID: Hashable, Comparable, Sendable {
    /// The same as a number.
    public let value: UInt64

    init(value: UInt64) {
        self.value = value
    }

    /// Nil for anything but 16 lower-case hexadecimal digits.
    public init?(_ name: FilePath) {
        guard let value = lowerHexadecimal(name.bytes[...]), name.bytes.count == Self.digits else { return nil }
        self.value = value
    }

    public static func < (left: ClaimID, right: ClaimID) -> Bool { left.value < right.value }

    /// As it is written in names.
    var name: FilePath { FilePath(description) }

    static let digits = 16
}

extension ClaimID: CustomStringConvertible {
    /// The 16 digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: Self.digits - digits.count) + digits
    }
}

/// The value of up to 16 lower-case hexadecimal digits; nil when there is anything else, or nothing.
private func lowerHexadecimal(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard !digits.isEmpty, digits.count <= ClaimID.digits else { return nil }
    var value: UInt64 = 0
    for digit in digits {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
        default: return nil
        }
    }
    return value
}

/// Makes ids: the time where that rises, else the next number.
final class ClaimIDs: Sendable {
    private let last = Mutex<UInt64>(0)

    /// Never an id up to this one again.
    ///
    /// A name that somebody made up may be the highest number there is; half of that leaves room to rise, and an id
    /// that is taken all the same is found out when its directory is made.
    func startAbove(_ id: ClaimID) {
        last.withLock { $0 = max($0, min(id.value, UInt64.max / 2)) }
    }

    func next() -> ClaimID {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // A clock before 1970 counts as 1970.
        let now = UInt64(max(0, time.tv_sec)) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        return last.withLock { last in
            last = max(min(now, UInt64.max / 2), last + 1)
            return ClaimID(value: last)
        }
    }
}
