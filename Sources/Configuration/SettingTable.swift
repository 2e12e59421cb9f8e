internal import AttachmentRules

/// Every setting of the service, in the order in which they are told.
public enum SettingTable {
    /// The keys of the group `[mediaprep]`.
    public static let service: [Setting<ServeSettings>] = [
        .directory("root", "Holds the spool's directories", \.root),
        .directory("inbox", "Where producers put files", emptyMeans: "inbox in the root", \.inbox),
        .directory("outbox", "Where results are published", emptyMeans: "outbox in the root", \.outbox),
        .init(
            "base-url", "URL", "What the URL of a result in its manifest starts with",
            accepted: "an https URL without query, fragment and user",
            emptyMeans: "manifests without URLs", apply: BaseURL.apply, show: { [$0.baseURL ?? ""] }),
        .number(
            "jobs", "N", "Pictures worked on at once", in: 1...256, emptyMeans: "one a processor", needsRestart: true,
            \.jobs),
        .init(
            "profile", "NAME", "The profile in use: what is asked of every picture",
            accepted: "the name of a profile, of letters, digits, dots, dashes and underscores",
            apply: { settings, words in
                guard let name = words.first, isProfileName(name) else { return false }
                settings.profile.name = name
                return true
            },
            show: { [$0.profile.name] }),
        .init(
            "categories", "LIST", "Categories that the app has content extensions for",
            accepted: "names of categories, between semicolons", emptyMeans: "any category", isList: true,
            apply: { settings, words in
                guard !words.contains(where: \.isEmpty) else { return false }
                settings.categories = words
                return true
            },
            show: { $0.categories }),
        .choice("originals", "What becomes of an original once its result is published", \.originals),
        .number(
            "settle-ms", "MS", "How long a file not renamed in must stay unchanged, in ms", in: 0...600_000,
            \.settleMilliseconds),
        .number(
            "rescan-seconds", "S", "Time between full looks at the inbox while events work", in: 1...86_400,
            \.rescanSeconds),
        .number(
            "poll-seconds", "S", "Time between full looks at the inbox without events", in: 1...3600, \.pollSeconds),
        .choice("watch", "How news of the inbox are got; automatic is by events where they work", \.watch),
        .init(
            "ignore-names", "LIST", "Names that are left alone: files that are still being written",
            accepted: "shell patterns for names, between semicolons", emptyMeans: "no name", isList: true,
            apply: { settings, words in
                guard !words.contains(where: { $0.isEmpty || $0.contains("/") }) else { return false }
                settings.ignoredNames = words
                return true
            },
            show: { $0.ignoredNames }),
        .init(
            "notify-command", "COMMAND", "Run for each outcome, with the manifest on standard input",
            accepted: "a program's absolute path and its arguments, quoted as for a shell but run without one",
            emptyMeans: "none", apply: ShellWords.apply, show: { [ShellWords.joined($0.notifyCommand)] }),
        .number(
            "notify-timeout-seconds", "S", "Longest time for one run of that command", in: 1...3600,
            \.notifyTimeoutSeconds),
        .number("notify-jobs", "N", "Runs of that command at once", in: 1...64, needsRestart: true, \.notifyJobs),
        .number(
            "notify-attempts", "N", "Runs of that command for one outcome before it is given up", in: 1...1000,
            \.notifyAttempts),
        .number("deadline-seconds", "S", "Longest time for one picture", in: 1...3600, \.deadlineSeconds),
        .choice("isolation", "Whether decoders serve many pictures each, or one", \.isolation),
        .truth(
            "allow-weak-sandbox", "Decode where the kernel lacks part of the sandbox", \.allowsWeakSandbox),
        .truth("sync", "Outcomes are on the disk before they are told", needsRestart: true, \.syncs),
        .choice("log-format", "How the log is written: key=value, or an object a line", \.logFormat),
    ]

    static func isProfileName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
            }
    }
}
