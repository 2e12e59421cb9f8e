internal import AttachmentRules
internal import Kernel

/// Settings in the making: each value is held against its setting, and all that is wrong is kept.
struct SettingReading {
    static let serviceGroup = "mediaprep"
    static let profilePrefix = "profile "

    private struct Profile {
        var recipe = Recipe()
        var keys: Set<String> = []
    }

    private var configuration = ServeConfiguration()
    private var profiles = [ServeSettings.Profile().name: Profile()]
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
            } else if let name = profileName(entry.group) {
                var profile = profiles[name] ?? Profile()
                if let setting = setting(at: place, of: SettingTable.profile) {
                    place.complain(Self.apply(entry.value.words(isList: setting.isList), of: setting, to: &profile.recipe), to: &problems)
                    profile.keys.insert(entry.key)
                }
                profiles[name] = profile
            }
        }
        for name in profiles.keys.sorted() { settleFloor(of: name, path: path, file: file) }
        // Told in the order of the lines, whatever was looked at first.
        problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    mutating func take(_ options: [String: [UInt8]]) {
        self.options = options
        for setting in SettingTable.service {
            guard let bytes = options[setting.key], let value = value(ofOption: setting.key, bytes) else { continue }
            let place = Place(origin: .option, group: nil, key: setting.key, value: FilePath(bytes: bytes))
            let words = setting.isList ? KeyFileValue(raw: value).words(isList: true) : [value]
            if setting.key == Self.profileKey { profileOrigin = .option }
            place.complain(Self.apply(words, of: setting, to: &configuration.settings), to: &problems)
            configuration.sources[setting.key] = .option
        }
    }

    /// The settings, with the profile that they name.
    mutating func finish() throws(ConfigurationError) -> ServeConfiguration {
        let name = configuration.settings.profile.name
        if var profile = profiles[name] {
            for key in profile.keys { configuration.sources[key] = .file }
            takeOptions(into: &profile.recipe)
            configuration.settings.profile.recipe = profile.recipe
        } else {
            let known = profiles.keys.sorted().joined(separator: ", ")
            problems.append(
                ConfigurationProblem(
                    profileOrigin, group: profileOrigin == .option ? nil : Self.serviceGroup, key: Self.profileKey,
                    value: FilePath(name), reason: "there is no such profile; there are: \(known)"))
        }
        if !problems.isEmpty { throw ConfigurationError(problems: problems) }
        return configuration
    }

    private mutating func takeService(_ value: KeyFileValue, at place: Place) {
        guard let setting = setting(at: place, of: SettingTable.service) else { return }
        if setting.key == Self.profileKey { profileOrigin = place.origin }
        place.complain(Self.apply(value.words(isList: setting.isList), of: setting, to: &configuration.settings), to: &problems)
        configuration.sources[setting.key] = .file
    }

    private mutating func takeOptions(into recipe: inout Recipe) {
        for setting in SettingTable.profile {
            guard let bytes = options[setting.key], let value = value(ofOption: setting.key, bytes) else { continue }
            let place = Place(origin: .option, group: nil, key: setting.key, value: FilePath(bytes: bytes))
            place.complain(Self.apply([value], of: setting, to: &recipe), to: &problems)
            configuration.sources[setting.key] = .option
        }
        guard recipe.qualityFloor > recipe.quality else { return }
        if options[Self.floorKey] != nil {
            problems.append(
                ConfigurationProblem(
                    .option, key: Self.floorKey, value: FilePath("\(recipe.qualityFloor)"),
                    reason: "is above the quality, which is \(recipe.quality)"))
        }
        recipe.qualityFloor = recipe.quality
    }

    // A floor that nobody set gives way to a quality below it, as in a batch.
    private mutating func settleFloor(of name: String, path: FilePath, file: KeyFile) {
        guard let recipe = profiles[name]?.recipe, recipe.qualityFloor > recipe.quality else { return }
        let group = Self.profilePrefix + name
        if let entry = file.entries.last(where: { $0.group == group && $0.key == Self.floorKey }) {
            problems.append(
                ConfigurationProblem(
                    .file(path, line: entry.line), group: group, key: Self.floorKey, value: FilePath(entry.value.raw),
                    reason: "is above the quality, which is \(recipe.quality)"))
        }
        profiles[name]?.recipe.qualityFloor = recipe.quality
    }

    private mutating func declare(_ group: String, _ origin: ConfigurationProblem.Origin) {
        if group == Self.serviceGroup { return }
        if let name = profileName(group) {
            if profiles[name] == nil { profiles[name] = Profile() }
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
        let nearest = NearestWord.nearest(to: place.key, in: table.map(\.key))
        place.complain(
            "there is no such key; "
                + (nearest.map { "did you mean \($0)?" }
                    ?? "there are: \(table.map(\.key).joined(separator: ", "))"), to: &problems)
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

    private mutating func value(ofOption key: String, _ bytes: [UInt8]) -> String? {
        // What check-config prints is a key file, and those are UTF-8.
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        problems.append(
            ConfigurationProblem(.option, key: key, value: FilePath(bytes: bytes), reason: "is not text in UTF-8"))
        return nil
    }

    private static let profileKey = "profile"
    private static let floorKey = "quality-floor"
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
