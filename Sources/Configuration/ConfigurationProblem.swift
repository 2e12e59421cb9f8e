public import Kernel

/// One thing that is wrong with the settings, and where.
public struct ConfigurationProblem: Equatable, Sendable {
    /// Where a value came from.
    public enum Origin: Equatable, Sendable {
        /// A key file; without a line where it is the file itself that is wrong.
        case file(FilePath, line: Int? = nil)
        case option
    }

    /// Where it is.
    public let origin: Origin
    /// The group of the key file, without brackets.
    public let group: String?
    /// The setting's name.
    public let key: String?
    /// The value as it was given; may hold any bytes.
    public let value: FilePath?
    /// What is wrong, as the end of a sentence, with what would be right.
    public let reason: String

    init(
        _ origin: Origin, group: String? = nil, key: String? = nil, value: FilePath? = nil, reason: String
    ) {
        self.origin = origin
        self.group = group
        self.key = key
        self.value = value
        self.reason = reason
    }
}

extension ConfigurationProblem: CustomStringConvertible {
    /// `FILE:3: [mediaprep] jobs = "0": takes a whole number from 1 to 256`, on one line that nobody can forge.
    public var description: String {
        let given = value.map { "\"\($0)\"" }
        switch origin {
        case .option:
            return ["--\(key ?? "")", given].compactMap { $0 }.joined(separator: " ") + ": " + reason
        case .file(let path, let line):
            let place = ([path.description] + [line.map { "\($0)" }].compactMap { $0 }).joined(separator: ":") + ":"
            let entry = [key.map { "\(FilePath($0))" }, given].compactMap { $0 }.joined(separator: " = ")
            let words = [group.map { "[\(FilePath($0))]" }, entry.isEmpty ? nil : entry].compactMap { $0 }
            return ([place] + words).joined(separator: " ") + (words.isEmpty ? " " : ": ") + reason
        }
    }
}
