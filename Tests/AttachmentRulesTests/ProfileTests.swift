import AttachmentRules
import Testing

@Suite struct ProfileTests {
    @Test("every built-in profile is found by its name, takes what mediaprep makes, and makes what it takes")
    func builtIn() {
        #expect(
            Profile.builtIn.map(\.name) == [
                "ios", "ios-square", "fcm-android", "clevertap-android", "airship", "web", "windows-toast",
            ])
        for profile in Profile.builtIn {
            #expect(Profile.named(profile.name) == profile)
            #expect(profile.base == profile.name)
            #expect(profile.accepts.contains(.jpeg))
            #expect(profile.recipe.maxBytes <= min(profile.limitBytes ?? .max, profile.targetBytes ?? .max))
            #expect(profile.animation.isSubset(of: profile.accepts))
            // A picture of the recipe's own size and of a shape that is shown whole is found nothing of.
            guard let widest = profile.ratio?.widest else { continue }
            let short = profile.recipe.shortEdge
            let size = Plan.size(
                width: short * 8 * widest.width / widest.height, height: short * 8, recipe: profile.recipe)
            var facts = AttachmentFacts(bytes: profile.recipe.maxBytes, mediaType: .jpeg)
            facts.fileExtension = "jpg"
            facts.picture = AttachmentFacts.Picture(width: size.width, height: size.height)
            facts.subject = .output
            let findings = Validator.findings(of: facts, profile: profile, strict: true)
            #expect(findings.filter { $0.severity == .error } == [], "\(profile.name)")
        }
        #expect(Profile.named("iOS") == nil)
    }

    @Test("the budgets follow the oldest system")
    func budgets() {
        var profile = Profile.ios
        #expect(profile.budgets == [.serviceExtension, .contentDesign, .content2019, .imageShare])
        profile.oldestSystem = 12
        #expect(profile.budgets.contains(.oldServiceExtension))
        #expect(Profile.web.budgets == [])
        profile.memoryBudget = 1
        #expect(profile.limitBytes(of: .serviceExtension) == 1)
    }

    @Test(
        "a range of shapes is written as two ratios",
        arguments: [
            ("1:1-2:1", "1:1-2:1"), ("2:1", "2:1"), ("2:1-2:1", "2:1"), ("3:4-16:9", "3:4-16:9"), ("2:1-1:1", nil),
            ("", nil), ("1", nil), ("1:0", nil), ("1:1-", nil), ("1:1-2:1-3:1", nil), ("+1:1", nil), ("1:100000", nil),
            ("10001:1", nil), ("a:b", nil),
        ])
    func ratio(_ text: String, _ read: String?) {
        #expect(RatioRange(text)?.text == read)
    }

    @Test("a UTI stands for one type, and an extension for its types")
    func names() {
        for type in MediaType.allCases {
            guard let uti = type.uti else { continue }
            #expect(MediaType(uti: uti)?.uti == uti)
            #expect(type.extensions.allSatisfy { $0 == $0.lowercased() })
            #expect(MediaType.named(type.preferredExtension).contains(type))
        }
        #expect(MediaType(uti: "com.apple.m4a-audio") == .m4a)
        #expect(MediaType(uti: "image/jpeg") == nil)
        #expect(MediaType.named("png") == [.png, .apng])
        #expect(MediaType.named("image/heic") == [.heic])
        #expect(MediaType.named("JPG") == [])
        let documented = MediaType.allCases.filter { $0.support == .documented }.map(\.preferredExtension)
        #expect(Set(documented) == ["jpg", "png", "gif", "mp4", "avi", "mpg", "m2v", "wav", "aiff", "mp3", "m4a"])
    }

    @Test("a card is as high as the screen's width and the ratio make it")
    func cards() {
        let cards = CardGeometry.cards(contentSizeRatio: 0.5)
        #expect(cards.map(\.screenWidth) == CardGeometry.screens.map(\.width))
        #expect(cards.first == CardGeometry.cards(contentSizeRatio: 0.5)[0])
        #expect(cards.map(\.height).prefix(4) == [160, 188, 195, 197])
        #expect(CardGeometry.screens.map(\.width) == CardGeometry.screens.map(\.width).sorted())
    }
}
