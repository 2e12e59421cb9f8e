import AttachmentRules
/// The rules that a payload is judged by.
enum PayloadRuleCases {
    static let all: [RuleCase] = []
}
