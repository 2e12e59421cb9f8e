import AttachmentRules
import Testing

@Suite struct RuleTests {
    @Test(arguments: FileRuleCases.all) func file(_ rule: RuleCase) { rule.check() }

    @Test(arguments: AddressRuleCases.all) func address(_ rule: RuleCase) { rule.check() }

    @Test(arguments: PayloadRuleCases.all) func payload(_ rule: RuleCase) { rule.check() }

    @Test("every rule has something that passes and something that fails")
    func coverage() {
        let all = FileRuleCases.all + AddressRuleCases.all + PayloadRuleCases.all
        #expect(Set(all.filter { $0.expected == nil }.map(\.rule)) == Set(Rule.allCases))
        #expect(Set(all.filter { $0.expected != nil }.map(\.rule)) == Set(Rule.allCases))
        #expect(Set(all.map(\.testDescription)).count == all.count)
    }

    @Test("every rule has a line in the book")
    func book() {
        for rule in Rule.allCases {
            let book = rule.book
            #expect(!book.summary.isEmpty && !book.source.isEmpty)
            #expect(!book.summary.contains { "\n|".contains($0) })
        }
        #expect(Set(Rule.allCases.map(\.book.summary)).count == Rule.allCases.count)
    }

    @Test("a profile judges a rule otherwise, or not at all")
    func judgements() {
        let facts = AttachmentFacts(bytes: 200_000, mediaType: .jpeg)
        func severity(_ judgement: Profile.Judgement?) -> Severity? {
            var profile = Profile.ios
            profile.judgements[.overTarget] = judgement
            return Validator.findings(of: facts, profile: profile, strict: false)
                .first { $0.rule == .overTarget }?.severity
        }
        #expect(severity(nil) == .warning)
        #expect(severity(.error) == .error)
        #expect(severity(.off) == nil)
    }

    @Test("what a phone would raise is told of phones only, and where it raises something")
    func raised() {
        func raised(_ type: MediaType, _ profile: Profile) -> UNErrorCode? {
            Validator.findings(of: AttachmentFacts(bytes: 9, mediaType: type), profile: profile, strict: false)
                .first { $0.rule == .typeNotAccepted }?.unError
        }
        #expect(raised(.webp, .ios) == .attachmentUnrecognizedType)
        #expect(raised(.webp, .web) == nil)
        #expect(raised(.gif, .iosSquare) == nil)
    }

    @Test("what the decoder refused is told once")
    func failure() {
        var facts = AttachmentFacts(bytes: 9, mediaType: .pdf)
        facts.failure = Rejection(.typeNotAllowed, rule: .typeNotAccepted, stage: .probe, "it is a page")
        #expect(
            Validator.findings(of: facts, profile: .ios, strict: false).filter { $0.rule == .typeNotAccepted }.count
                == 1)
    }
}
