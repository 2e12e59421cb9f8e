import AttachmentRules
import Testing

/// Something that one rule has to say something of, or nothing.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let name: String
    /// What the rule has to say; nil for nothing.
    let expected: Severity?
    /// What stands in the message.
    let told: String
    let findings: @Sendable () -> [Finding]

    var testDescription: String { "\(rule.rawValue) \(expected.map(\.rawValue) ?? "passes"): \(name)" }

    static func passes(_ rule: Rule, _ name: String, _ findings: @escaping @Sendable () -> [Finding]) -> RuleCase {
        RuleCase(rule: rule, name: name, expected: nil, told: "", findings: findings)
    }

    static func fails(
        _ rule: Rule, _ name: String, _ told: String, _ findings: @escaping @Sendable () -> [Finding]
    ) -> RuleCase {
        RuleCase(rule: rule, name: name, expected: .error, told: told, findings: findings)
    }

    static func warns(
        _ rule: Rule, _ name: String, _ told: String, _ findings: @escaping @Sendable () -> [Finding]
    ) -> RuleCase {
        RuleCase(rule: rule, name: name, expected: .warning, told: told, findings: findings)
    }

    func check() {
        let own = findings().filter { $0.rule == rule }
        guard let expected else {
            #expect(own == [])
            return
        }
        #expect(own.map(\.severity) == [expected])
        let message = own.first?.message ?? ""
        #expect(message.contains(told), "\(message)")
        #expect(!message.utf8.contains { $0 < 0x20 })
    }
}
