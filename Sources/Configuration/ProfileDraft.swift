internal import AttachmentRules

/// A profile in the making: what its group says, in the order of the lines.
struct ProfileDraft {
    /// One value that was found right.
    struct Entry {
        var setting: Setting<Profile>
        var words: [String]
    }

    var entries: [Entry] = []

    static let baseKey = "base"

    /// The profile: the base, then what the group says, then `options`.
    func profile(named name: String, options: [Entry]) -> Profile {
        let chosen = options.last { $0.setting.key == Self.baseKey } ?? entries.last { $0.setting.key == Self.baseKey }
        let own = Profile.named(name) ?? .ios
        var profile = chosen.flatMap { $0.words.first }.flatMap(Profile.named) ?? own
        if profile.base != name { profile.summary = "\(profile.base), as the settings change it" }
        profile.name = name
        for entry in entries + options where entry.setting.key != Self.baseKey {
            _ = entry.setting.apply(&profile, entry.words)
        }
        return profile
    }
}
