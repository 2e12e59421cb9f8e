/// A path as Linux knows it: bytes in no particular encoding.
///
/// A value may hold a NUL, so that it can be shown, but no file can be called so: every system call refuses such a path
/// with EINVAL.
public struct FilePath: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    public init(_ string: String) {
        bytes = Array(string.utf8)
    }

    public var isEmpty: Bool { bytes.isEmpty }

    /// True when the path starts with a slash.
    public var isAbsolute: Bool { bytes.first == Self.slash }

    /// The names between the slashes; empty ones are left out.
    public var components: [FilePath] {
        bytes.split(separator: Self.slash).map { FilePath(bytes: $0) }
    }

    /// The name after the last slash, slashes at the end apart; empty for `/` and for the empty path.
    public var lastComponent: FilePath {
        components.last ?? ""
    }

    /// Everything before `lastComponent`: `/` for `/a`, and the empty path for `a`.
    public var removingLastComponent: FilePath {
        guard let nameEnd = bytes.lastIndex(where: { $0 != Self.slash }) else { return self }
        guard let separator = bytes[...nameEnd].lastIndex(of: Self.slash) else { return "" }
        guard let parentEnd = bytes[...separator].lastIndex(where: { $0 != Self.slash }) else { return "/" }
        return FilePath(bytes: bytes[...parentEnd])
    }

    /// This path, one slash, and `component`; `component` alone when this path is empty.
    public func appending(_ component: FilePath) -> FilePath {
        if isEmpty { return component }
        return FilePath(bytes: bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + component.bytes)
    }

    /// Lends the path to C, with a NUL at its end; EINVAL when there is one inside.
    public func withCString<R>(_ body: (UnsafePointer<CChar>) throws(Errno) -> R) throws(Errno) -> R {
        guard !bytes.contains(0) else { throw .invalidArgument }
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        return try terminated.withUnsafeBufferPointer { (buffer) throws(Errno) -> R in
            guard let start = buffer.baseAddress else { throw .invalidArgument }
            return try body(start)
        }
    }

    /// True for a name that stands for one entry of a directory: not empty, no slash, neither `.` nor `..`.
    public var isEntryName: Bool {
        !isEmpty && !bytes.contains(Self.slash) && self != "." && self != ".."
    }

    private static let slash = UInt8(ascii: "/")
}

extension FilePath: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension FilePath: Comparable {
    /// Byte order, which no locale changes.
    public static func < (left: FilePath, right: FilePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
