public import AttachmentRules

/// One setting: what it is called, what it takes, and where it goes.
///
/// Everything that tells of settings comes from these: the key file, the options, `check-config`, the sample file and
/// the README. `Subject` is `ServeSettings`, or `Profile` for what a profile sets.
public struct Setting<Subject: Sendable>: Sendable {
    /// Its name in the key file, and as an option behind two dashes.
    public let key: String
    /// What stands for its value in a help text.
    public let argument: String
    /// What it decides, on one line.
    public let documentation: String
    /// The values that it takes, in words: "a whole number from 1 to 256".
    public let accepted: String
    /// What no value at all stands for, where that is allowed.
    public let emptyMeans: String?
    /// True for several values between semicolons.
    public let isList: Bool
    /// False for what a running service takes up when it reads its settings again.
    public let needsRestart: Bool

    let apply: @Sendable (inout Subject, [String]) -> Bool
    let show: @Sendable (Subject) -> [String]

    init(
        _ key: String, _ argument: String, _ documentation: String, accepted: String, emptyMeans: String? = nil,
        isList: Bool = false, needsRestart: Bool = false,
        apply: @escaping @Sendable (inout Subject, [String]) -> Bool,
        show: @escaping @Sendable (Subject) -> [String]
    ) {
        self.key = key
        self.argument = argument
        self.documentation = documentation
        self.accepted = accepted
        self.emptyMeans = emptyMeans
        self.isList = isList
        self.needsRestart = needsRestart
        self.apply = apply
        self.show = show
    }

    /// The value in `subject`, as a key file has it.
    public func text(in subject: Subject) -> String {
        show(subject).map { KeyFileText.escaped($0, inList: isList) }.joined(separator: ";")
    }

    /// The values that it takes, and what none stands for.
    public var acceptedInFull: String {
        emptyMeans.map { "\(accepted); empty for \($0)" } ?? accepted
    }
}

extension Setting where Subject == ServeSettings {
    /// The default as text, as a key file has it.
    public var standard: String { text(in: ServeSettings()) }

    /// What a help text says of it: what it decides, and the default.
    public var help: String { "\(documentation) (\(standard.isEmpty ? emptyMeans ?? "" : standard))" }
}

extension Setting where Subject == Profile {
    /// The default as text, as a key file has it: that of the profile `ios`.
    public var standard: String { text(in: .ios) }

    /// What a help text says of it: what it decides, and the default.
    public var help: String { "\(documentation) (\(standard.isEmpty ? emptyMeans ?? "" : standard))" }
}
