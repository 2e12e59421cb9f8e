internal import Kernel

/// What stands behind a key of the log.
enum LogValue: Equatable, Sendable {
    case text(String)
    /// A name or a path: shown as manifests show it, percent-escaped where it is not UTF-8.
    case path(FilePath)
    case number(Int)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral value: String) {
        self = .text(value)
    }

    init(integerLiteral value: Int) {
        self = .number(value)
    }
}
