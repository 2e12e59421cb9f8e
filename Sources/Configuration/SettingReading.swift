internal import AttachmentRules
internal import Kernel

/// Settings in the making: each value is held against its setting, and all that is wrong is kept.
struct SettingReading {
    static let serviceGroup = "mediaprep"
    static let profilePrefix = "profile "

    private var configuration = ServeConfiguration()
    private var drafts = Dictionary(
        Profile.builtIn.map { ($0.name, ProfileDraft()) }, uniquingKeysWith: { first, _ in first })
    private var options: [String: [UInt8]] = [:]
    private var profileOrigin = ConfigurationProblem.Origin.option
    private var problems: [ConfigurationProblem] = []

    mutating func take(_ file: KeyFile, at path: FilePath) {
        problems += file.problems
        for (name, line) in file.groups { declare(name, .file(path, line: line)) }
        for entry in file.entries {
            let place = Place(
                origin: .file(path, line: entry.line), group: entry.group, key: entry.key,
                value: FilePath(entry.value.raw))
            if entry.group == Self.serviceGroup {
                takeService(entry.value, at: place)
            } else if let name = profileName(entry.group), let setting = setting(at: place, of: SettingTable.profile),
                let checked = checked(entry.value.words(isList: setting.isList), of: setting, at: place)
            {
                drafts[name, default: ProfileDraft()].entries.append(checked)
            }
        }
        for name in drafts.keys.sorted() { check(name, path: path, file: file) }
        // Told in the order of the lines, whatever was looked at first.
        problems.sort { ($0.line ?? .max) < ($1.line ?? .max) }
    }

    mutating func take(_ options: [String: [UInt8]]) {
        self.options = options
        for setting in SettingTable.service {
            guard let bytes = options[setting.key], let value = value(ofOption: setting.key, bytes) else { continue }
            let place = Place(origin: .option, group: nil, key: setting.key, value: FilePath(bytes: bytes))
            if setting.key == Self.profileKey { profileOrigin = .option }
            place.complain(
                Self.apply(words(value, of: setting), of: setting, to: &configuration.settings), to: &problems)
            configuration.sources[setting.key] = .option
        }
    }

    /// The settings, with the profile that they name.
    mutating func finish() throws(ConfigurationError) -> ServeConfiguration {
        let name = configuration.settings.profile.name
        let names = Profile.builtIn.map(\.name) + drafts.keys.filter { Profile.named($0) == nil }.sorted()
        let given = profileOptions()
        for other in names {
            guard let draft = drafts[other] else { continue }
            var profile = draft.profile(named: other, options: other == name ? given : [])
            if other == name {
                for entry in draft.entries { configuration.sources[entry.setting.key] = .file }
                for entry in given { configuration.sources[entry.setting.key] = .option }
                complainOfFloor(of: profile)
            }
            profile.recipe.qualityFloor = min(profile.recipe.qualityFloor, profile.recipe.quality)
            if other == name { configuration.settings.profile = profile }
            configuration.profiles.append(profile)
        }
        if drafts[name] == nil {
            problems.append(
                ConfigurationProblem(
                    profileOrigin, group: profileOrigin == .option ? nil : Self.serviceGroup, key: Self.profileKey,
                    value: FilePath(name),
                    reason: "there is no such profile; there are: \(names.joined(separator: ", "))"))
        }
        if !problems.isEmpty { throw ConfigurationError(problems: problems) }
        return configuration
    }

    private mutating func takeService(_ value: KeyFileValue, at place: Place) {
        guard let setting = setting(at: place, of: SettingTable.service) else { return }
        if setting.key == Self.profileKey { profileOrigin = place.origin }
        place.complain(
            Self.apply(value.words(isList: setting.isList), of: setting, to: &configuration.settings), to: &problems)
        configuration.sources[setting.key] = .file
    }

    private mutating func profileOptions() -> [ProfileDraft.Entry] {
        var entries: [ProfileDraft.Entry] = []
        for setting in SettingTable.profile {
            guard let bytes = options[setting.key], let value = value(ofOption: setting.key, bytes) else { continue }
            let place = Place(origin: .option, group: nil, key: setting.key, value: FilePath(bytes: bytes))
            if let entry = checked(words(value, of: setting), of: setting, at: place) { entries.append(entry) }
        }
        let options = options
        complainOfRules(namedTwiceIn: entries) { entry in
            Place(
                origin: .option, group: nil, key: entry.setting.key,
                value: FilePath(bytes: options[entry.setting.key] ?? []))
        }
        return entries
    }

    /// The value with its setting; nil for a wrong one, of which it is told.
    private mutating func checked(
        _ words: [String]?, of setting: Setting<Profile>, at place: Place
    ) -> ProfileDraft.Entry? {
        var scratch = Profile.ios
        if let reason = Self.apply(words, of: setting, to: &scratch) {
            place.complain(reason, to: &problems)
            return nil
        }
        return words.map { ProfileDraft.Entry(setting: setting, words: $0) }
    }

    private mutating func complainOfFloor(of profile: Profile) {
        guard profile.recipe.qualityFloor > profile.recipe.quality, options[Self.floorKey] != nil else { return }
        problems.append(
            ConfigurationProblem(
                .option, key: Self.floorKey, value: FilePath("\(profile.recipe.qualityFloor)"),
                reason: "is above the quality, which is \(profile.recipe.quality)"))
    }

    // A floor that nobody set gives way to a quality below it, as in a batch.
    private mutating func check(_ name: String, path: FilePath, file: KeyFile) {
        guard let draft = drafts[name] else { return }
        let group = Self.profilePrefix + name
        func place(_ key: String) -> Place? {
            file.entries.last { $0.group == group && $0.key == key }.map { entry in
                Place(
                    origin: .file(path, line: entry.line), group: group, key: key, value: FilePath(entry.value.raw))
            }
        }
        let recipe = draft.profile(named: name, options: []).recipe
        if recipe.qualityFloor > recipe.quality {
            place(Self.floorKey)?.complain("is above the quality, which is \(recipe.quality)", to: &problems)
        }
        complainOfRules(namedTwiceIn: draft.entries) { place($0.setting.key) }
    }

    private mutating func complainOfRules(
        namedTwiceIn entries: [ProfileDraft.Entry], at place: (ProfileDraft.Entry) -> Place?
    ) {
        var keys: [String: String] = [:]
        for entry in entries where Self.ruleKeys.contains(entry.setting.key) {
            for rule in entry.words {
                if let earlier = keys.updateValue(entry.setting.key, forKey: rule), earlier != entry.setting.key {
                    place(entry)?.complain("names \(rule), as \(earlier) does", to: &problems)
                }
            }
        }
    }

    private mutating func declare(_ group: String, _ origin: ConfigurationProblem.Origin) {
        if group == Self.serviceGroup { return }
        if let name = profileName(group) {
            if drafts[name] == nil { drafts[name] = ProfileDraft() }
            return
        }
        var reason = "there is no such group; there are [\(Self.serviceGroup)] and [\(Self.profilePrefix)NAME]"
        if group.hasPrefix(Self.profilePrefix) {
            reason = "a profile's name has letters, digits, dots, dashes and underscores, 64 at most"
        }
        problems.append(ConfigurationProblem(origin, group: group, reason: reason))
    }

    private func profileName(_ group: String) -> String? {
        guard group.hasPrefix(Self.profilePrefix) else { return nil }
        let name = String(group.dropFirst(Self.profilePrefix.count))
        return SettingTable.isProfileName(name) ? name : nil
    }

    private mutating func setting<Subject>(at place: Place, of table: [Setting<Subject>]) -> Setting<Subject>? {
        if let setting = table.first(where: { $0.key == place.key }) { return setting }
        let advice: String
        if SettingTable.service.contains(where: { $0.key == place.key }) {
            advice = "it belongs in [\(Self.serviceGroup)]"
        } else if SettingTable.profile.contains(where: { $0.key == place.key }) {
            advice = "it belongs in a group [\(Self.profilePrefix)NAME]"
        } else if let nearest = NearestWord.nearest(to: place.key, in: table.map(\.key)) {
            advice = "did you mean \(nearest)?"
        } else {
            advice = "there are: \(table.map(\.key).joined(separator: ", "))"
        }
        place.complain("there is no such key here; \(advice)", to: &problems)
        return nil
    }

    /// - Returns: what is wrong with the value.
    private static func apply<Subject>(
        _ words: [String]?, of setting: Setting<Subject>, to subject: inout Subject
    ) -> String? {
        guard let words else {
            return "has a backslash that is no escape of key files; takes \(setting.acceptedInFull)"
        }
        guard words.allSatisfy(KeyFileText.isPrintable) else {
            return "holds control characters; takes \(setting.acceptedInFull)"
        }
        return setting.apply(&subject, words) ? nil : "takes \(setting.acceptedInFull)"
    }

    private func words<Subject>(_ value: String, of setting: Setting<Subject>) -> [String]? {
        // A line feed would end the value before its end.
        guard setting.isList, KeyFileText.isPrintable(value) else { return [value] }
        return KeyFileValue(raw: value).words(isList: true)
    }

    private mutating func value(ofOption key: String, _ bytes: [UInt8]) -> String? {
        // What check-config prints is a key file, and those are UTF-8.
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        problems.append(
            ConfigurationProblem(.option, key: key, value: FilePath(bytes: bytes), reason: "is not text in UTF-8"))
        return nil
    }

    private static let profileKey = "profile"
    private static let floorKey = "quality-floor"
    private static let ruleKeys: Set = ["errors", "warnings", "off"]
}

/// Where a value stands.
private struct Place {
    var origin: ConfigurationProblem.Origin
    var group: String?
    var key: String
    var value: FilePath

    func complain(_ reason: String?, to problems: inout [ConfigurationProblem]) {
        guard let reason else { return }
        problems.append(ConfigurationProblem(origin, group: group, key: key, value: value, reason: reason))
    }
}

extension ConfigurationProblem {
    fileprivate var line: Int? {
        if case .file(_, let line) = origin { line } else { nil }
    }
}
