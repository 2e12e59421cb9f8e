public import AttachmentRules

extension SettingTable {
    /// The keys of a group `[profile NAME]`.
    public static let profile: [Setting<Profile>] = [
        .init(
            "base", "NAME", "The built-in profile that it starts from",
            accepted: "one of " + Profile.builtIn.map(\.name).joined(separator: ", "),
            apply: { profile, words in
                guard let name = words.first, Profile.named(name) != nil else { return false }
                profile.base = name
                return true
            },
            show: { [$0.base] }),
        .number("short-edge", "PX", "Longest short edge of a result, in pixels", in: 16...4096, \.recipe.shortEdge),
        .number("quality", "Q", "JPEG quality where the result fits with it", in: 1...100, \.recipe.quality),
        .number(
            "quality-floor", "Q", "Lowest quality before pixels step down; at most the quality", in: 1...100,
            \.recipe.qualityFloor),
        .number("max-bytes", "N", "Hard limit for a result, in bytes", in: 1000...10_000_000, \.recipe.maxBytes),
        .init(
            "background", "#RRGGBB", "What transparency is laid on", accepted: "a colour, as #RRGGBB",
            apply: { profile, words in
                guard let word = words.first, let color = Recipe.Background(hex: word) else { return false }
                profile.recipe.background = color
                return true
            },
            show: { [$0.recipe.background.hex] }),
        .types("formats", "Types that the receiver takes", emptyMeans: "none", \.accepts),
        .number(
            "limit-bytes", "N", "The receiver's own limit for a picture, in bytes", in: 1000...1_000_000_000,
            emptyMeans: "none beside Apple's", needsRestart: false, \.limitBytes),
        .number(
            "target-bytes", "N", "What a picture should have at most, in bytes", in: 1000...1_000_000_000,
            emptyMeans: "any length", needsRestart: false, \.targetBytes),
        .number(
            "least-width", "PX", "What a picture should be wide at least, in pixels", in: 1...65_535,
            emptyMeans: "any width", needsRestart: false, \.leastWidth),
        .number(
            "longest-edge", "PX", "Longest edge that the receiver shows, in pixels", in: 1...65_535,
            emptyMeans: "any length", needsRestart: false, \.longestEdge),
        .init(
            "ratio", "W:H-W:H", "Shapes that are shown whole, width to height",
            accepted: "one ratio or two, the narrower first, as 1:1-2:1", emptyMeans: "any shape",
            apply: { profile, words in
                let range = RatioRange(words.first ?? "")
                profile.ratio = range
                return range != nil || words == [""]
            },
            show: { [$0.ratio?.text ?? ""] }),
        .types("animation", "Types that the receiver plays", emptyMeans: "none", \.animation),
        .number(
            "memory-budget", "N", "What a service extension may use, in bytes", in: 1_048_576...1_073_741_824,
            \.memoryBudget),
        .number(
            "oldest-ios", "N", "The oldest iOS that is served", in: 10...99, emptyMeans: "no phone of Apple's",
            needsRestart: false, \.oldestSystem),
        .number(
            "longest-seconds", "S", "Longest sound or film", in: 1...86_400, emptyMeans: "any length",
            needsRestart: false, \.longestSeconds),
        .rules("errors", "Rules that refuse", .error),
        .rules("warnings", "Rules that only warn", .warning),
        .rules("off", "Rules that do not count", .off),
    ]
}

extension Setting where Subject == Profile {
    /// A list of types by their extensions.
    fileprivate static func types(
        _ key: String, _ documentation: String, emptyMeans: String,
        _ place: any WritableKeyPath<Profile, Set<MediaType>> & Sendable
    ) -> Setting {
        Setting(
            key, "LIST", documentation, accepted: "extensions or MIME types, between semicolons",
            emptyMeans: emptyMeans, isList: true,
            apply: { profile, words in
                let types = words.map(MediaType.named)
                guard !types.contains(where: \.isEmpty) else { return false }
                profile[keyPath: place] = Set(types.joined())
                return true
            },
            show: { profile in
                // An animated PNG goes by the name of a PNG; alone it has one of its own.
                let types = profile[keyPath: place]
                return MediaType.allCases.filter(types.contains).compactMap { type in
                    type != .apng ? type.preferredExtension : types.contains(.png) ? nil : type.rawValue
                }
            })
    }

    /// A list of rules that are judged in one way.
    fileprivate static func rules(
        _ key: String, _ documentation: String, _ judgement: Profile.Judgement
    ) -> Setting {
        Setting(
            key, "LIST", documentation + ", whatever they do otherwise",
            accepted: "ids of rules, between semicolons", emptyMeans: "none", isList: true,
            apply: { profile, words in
                let rules = words.map { Rule(rawValue: $0) }
                guard !rules.contains(nil) else { return false }
                profile.judgements = profile.judgements.filter { $0.value != judgement }
                for rule in rules.compactMap(\.self) { profile.judgements[rule] = judgement }
                return true
            },
            show: { profile in
                Rule.allCases.filter { profile.judgements[$0] == judgement }.map(\.rawValue)
            })
    }
}
