internal import Glibc
internal import Kernel

/// What one piece of work took.
struct Sample {
    /// In milliseconds.
    var wall: Double
    /// Of this process and of all children that were waited for, in milliseconds.
    var cpu: Double

    static func taking(_ work: () throws -> Void) rethrows -> Sample {
        let cpu = cpuMilliseconds()
        let start = MonotonicInstant.now
        try work()
        let wall = start.duration(to: .now) / .milliseconds(1)
        return Sample(wall: wall, cpu: cpuMilliseconds() - cpu)
    }

    private static func cpuMilliseconds() -> Double {
        [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0.0) { sum, who in
            var usage = rusage()
            getrusage(Int32(who.rawValue), &usage)
            func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
            return sum + milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
        }
    }
}

extension [Double] {
    /// 0 for none.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }

    var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}

/// With two places: "12.34".
func hundredths(_ value: Double) -> String {
    let hundredths = Int((abs(value) * 100).rounded())
    let text = "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    return value < 0 && hundredths > 0 ? "-" + text : text
}

/// Set to the right of a column.
func column(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
}
