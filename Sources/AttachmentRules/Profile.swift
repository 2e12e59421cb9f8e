/// A receiver: what is made for it, what it takes, and how bad it is where a file is not so.
public struct Profile: Equatable, Sendable {
    /// What key files and commands call it.
    public var name: String
    /// Who receives, on one line.
    public var summary: String
    /// The built-in profile that it starts from: its own name, if it is one.
    public var base: String
    /// What is asked of every picture that is made.
    public var recipe = Recipe()
    /// Types that the receiver shows.
    public var accepts: Set<MediaType>
    /// The receiver's own limit for a picture, in bytes; nil for none beside Apple's.
    public var limitBytes: Int?
    /// What a picture should have at most, in bytes; nil for no such wish.
    public var targetBytes: Int?
    /// What a picture should be wide at least, in pixels; nil for any width.
    public var leastWidth: Int?
    /// The longest edge that the receiver shows, in pixels; nil where that is not known.
    public var longestEdge: Int?
    /// The shapes that are shown whole; nil for any.
    public var ratio: RatioRange?
    /// Types of which more than the first frame is shown.
    public var animation: Set<MediaType> = []
    /// What a notification service extension may use, in bytes.
    public var memoryBudget = MemoryBudget.serviceExtension.limitBytes
    /// The oldest iOS that is served, by its first number; nil where no phone of Apple's receives.
    public var oldestSystem: Int?
    /// Longest sound or film, in seconds; nil for any length.
    public var longestSeconds: Int?
    /// Rules that are judged otherwise than the rule book says.
    public var judgements: [Rule: Judgement] = [:]

    /// How bad a finding is, or that it is none.
    public enum Judgement: String, Sendable {
        case error, warning, off
    }

    init(_ name: String, _ summary: String, accepts: Set<MediaType>) {
        self.name = name
        base = name
        self.summary = summary
        self.accepts = accepts
    }

    /// True where Apple's limits and the memory of extensions count.
    public var isApple: Bool { oldestSystem != nil }

    /// The budgets that count for this receiver.
    public var budgets: [MemoryBudget] {
        guard let oldestSystem else { return [] }
        let old: [MemoryBudget] = oldestSystem <= 12 ? [.oldServiceExtension] : []
        return [.serviceExtension] + old + [.contentDesign, .content2019, .imageShare]
    }

    /// The limit of a budget for this receiver, in bytes.
    public func limitBytes(of budget: MemoryBudget) -> Int {
        switch budget {
        case .serviceExtension: memoryBudget
        case .imageShare: recipe.imageShareBytes
        default: budget.limitBytes
        }
    }

    /// How the budgets stand for a picture, by their ids: `budgets` of a manifest's `memory`.
    public func verdicts(on memory: DecodedMemory, peaks: DecodedMemory.Peaks) -> [String: MemoryBudget.Verdict] {
        Dictionary(
            budgets.map { ($0.rawValue, $0.verdict(of: memory, peaks: peaks, limitBytes: limitBytes(of: $0))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The severity of a rule for this receiver; nil where the rule is off.
    ///
    /// - Parameter standard: what holds where the profile says nothing.
    public func severity(of rule: Rule, standard: Severity) -> Severity? {
        switch judgements[rule] {
        case nil: standard
        case .error: .error
        case .warning: .warning
        case .off: nil
        }
    }
}
