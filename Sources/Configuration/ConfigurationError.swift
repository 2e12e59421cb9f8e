/// Everything that is wrong with the settings, at once.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// At least one; those of the file first, in the order of its lines.
    public let problems: [ConfigurationProblem]
}

extension ConfigurationError: CustomStringConvertible {
    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
