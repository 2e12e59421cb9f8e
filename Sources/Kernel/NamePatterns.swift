import Glibc

/// Shell patterns for file names: fnmatch(3), where `*` stands for a dot at the start as well.
public struct NamePatterns: Equatable, Sendable {
    private let patterns: [[CChar]]

    /// A pattern with a NUL in it counts up to there.
    public init(_ patterns: [String]) {
        self.patterns = patterns.map { Array($0.utf8CString) }
    }

    /// True when one of the patterns stands for `name`.
    public func match(_ name: FilePath) -> Bool {
        let matches = try? name.withCString { name in
            patterns.contains { fnmatch($0, name, 0) == 0 }
        }
        return matches ?? false
    }
}
