import Glibc

/// A reading of CLOCK_MONOTONIC: what deadlines are made of, because nobody can set it.
public struct MonotonicInstant: Comparable, Sendable {
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// clock_gettime(2).
    public static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// As service managers take it: whole microseconds of CLOCK_MONOTONIC.
    public var microseconds: Int64 { nanoseconds / 1_000 }

    /// This instant moved by `duration`; where that is out of range, the last instant there is.
    public func advanced(by duration: Duration) -> MonotonicInstant {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, sumOverflow) = whole.addingReportingOverflow(nanoseconds + attoseconds / 1_000_000_000)
        return MonotonicInstant(nanoseconds: overflow || sumOverflow ? .max : sum)
    }

    /// The time from `self` to `other`.
    public func duration(to other: MonotonicInstant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// What is left of the time until this instant, for poll(2): in milliseconds, rounded up.
    fileprivate var pollTimeout: Int32 {
        let left = nanoseconds - MonotonicInstant.now.nanoseconds
        return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
    }
}

/// Waiting for descriptors.
public enum Poll {
    /// poll(2) for something to read, an end or an error on any of `descriptors`, until `deadline`.
    ///
    /// The answer has one element for each descriptor; none is true when the deadline came first.
    public static func readable(_ descriptors: [Int32], until deadline: MonotonicInstant) throws(Errno) -> [Bool] {
        var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Asked anew after each interruption, so that signals cannot move the deadline.
        let count = try systemCall { poll(&requests, nfds_t(requests.count), deadline.pollTimeout) }
        if count == 0 && deadline > .now {
            // A deadline further away than poll(2) can wait, some 24 days.
            return try readable(descriptors, until: deadline)
        }
        guard requests.allSatisfy({ $0.revents & Int16(POLLNVAL) == 0 }) else { throw .badFileDescriptor }
        return requests.map { $0.revents != 0 }
    }
}
