/// Findings as they are made, each with the severity that the profile gives it.
struct FindingList {
    let profile: Profile
    private(set) var findings: [Finding] = []

    init(_ profile: Profile) {
        self.profile = profile
    }

    /// - Parameters:
    ///   - severity: what holds where the profile says nothing; nil for the rule book's.
    ///   - raises: false where the phone would not raise the rule's UNError over this.
    mutating func add(
        _ rule: Rule, _ subject: Finding.Subject, as severity: Severity? = nil, raises: Bool = true, _ message: String
    ) {
        let book = rule.book
        guard let severity = profile.severity(of: rule, standard: severity ?? book.severity) else { return }
        let unError = raises && profile.isApple ? book.unError : nil
        findings.append(Finding(rule, subject, severity, message, unError: unError))
    }

    /// What other rules found.
    mutating func add(_ others: [Finding]) {
        findings += others
    }
}
