import AttachmentRules
import Configuration
import Foundation
import Kernel
import Testing

@Suite struct ServeConfigurationTests {
    static func problems(_ bytes: [UInt8], _ options: [String: [UInt8]] = [:]) throws -> [String] {
        let scratch = try Scratch()
        let file = try scratch.file(bytes)
        do throws(ConfigurationError) {
            _ = try ServeConfiguration.load(file: file, options: options)
            return []
        } catch {
            return error.problems.map { $0.description.replacing(file.description, with: "FILE") }
        }
    }

    static func load(_ text: String, _ options: [String: String] = [:]) throws -> ServeSettings {
        let scratch = try Scratch()
        return try ServeConfiguration.load(
            file: scratch.file(text), options: options.mapValues { Array($0.utf8) })
    }

    @Test("options come before the key file, and that before the defaults")
    func precedence() throws {
        let scratch = try Scratch()
        let file = try scratch.file("[mediaprep]\njobs = 3\npoll-seconds = 7\n[profile ios]\nquality = 50\n")
        let read = try ServeConfiguration.read(file: file, options: ["jobs": Array("4".utf8)])
        #expect(read.settings.jobs == 4)
        #expect(read.settings.pollSeconds == 7)
        #expect(read.settings.rescanSeconds == 30)
        #expect(read.settings.profile.recipe.quality == 50)
        #expect(read.sources == ["jobs": .option, "poll-seconds": .file, "quality": .file])
    }

    @Test("an empty value stands for none, also against the key file")
    func empty() throws {
        let settings = try Self.load(
            "[mediaprep]\njobs = 3\nbase-url = https://a\nnotify-command = /bin/true\nignore-names = *.x\ninbox=/in\n",
            ["jobs": "", "base-url": "", "notify-command": "", "ignore-names": "", "inbox": ""])
        var expected = ServeSettings()
        expected.ignoredNames = []
        #expect(settings == expected)
    }

    @Test("a profile starts from the defaults, and only the one in use counts")
    func profiles() throws {
        let file = """
            [mediaprep]
            profile = tiny
            [profile tiny]
            short-edge = 100
            quality = 15
            [profile ios]
            max-bytes = 2000
            """
        let tiny = try Self.load(file).profile
        #expect(tiny.name == "tiny")
        #expect((tiny.recipe.shortEdge, tiny.recipe.maxBytes) == (100, 100_000))
        // A floor that nobody set does not stand above the quality.
        #expect((tiny.recipe.quality, tiny.recipe.qualityFloor) == (15, 15))
        #expect(try Self.load(file, ["profile": "ios"]).profile.recipe.maxBytes == 2000)
        #expect(try Self.load(file, ["short-edge": "64"]).profile.recipe.shortEdge == 64)
    }

    @Test("every built-in profile can be used without a group")
    func builtIn() throws {
        for profile in Profile.builtIn {
            let file = "[mediaprep]\nprofile = \(profile.name)\n"
            #expect(try Self.load(file).profile == profile)
        }
        let scratch = try Scratch()
        let file = try scratch.file("[profile small]\nquality = 60\n[profile web]\noff = DIM004\n")
        let read = try ServeConfiguration.read(file: file, options: [:])
        #expect(read.profiles.map(\.name) == Profile.builtIn.map(\.name) + ["small"])
        #expect(read.profiles.first { $0.name == "web" }?.judgements == [.tooNarrow: .off])
        #expect(read.profiles.first { $0.name == "web" }?.summary == Profile.web.summary)
    }

    @Test("a group starts from its base, wherever that stands, and an option's base before it")
    func base() throws {
        let file = "[mediaprep]\nprofile = tiny\n[profile tiny]\nshort-edge = 100\nbase = fcm-android\n"
        var expected = Profile.fcmAndroid
        expected.name = "tiny"
        expected.recipe.shortEdge = 100
        expected.summary = "fcm-android, as the settings change it"
        #expect(try Self.load(file).profile == expected)
        let other = try Self.load(file, ["base": "web", "ratio": "", "animation": "gif"]).profile
        #expect(other.base == "web")
        #expect((other.recipe.shortEdge, other.leastWidth, other.ratio) == (100, 1350, nil))
        #expect(other.animation == [.gif])
    }

    @Test("a rule is judged in one way, and what the base says of it gives way")
    func judgements() throws {
        let file = "[profile ios]\nerrors = DIM005;ANI002\n"
        #expect(try Self.load(file).profile.judgements == [.badRatio: .error, .animationNotShown: .error])
        #expect(
            try Self.problems(Array((file + "off = DIM005\n").utf8)) == [
                #"FILE:3: [profile ios] off = "DIM005": names DIM005, as errors does"#
            ])
        #expect(
            try Self.problems([], ["warnings": Array("MEM005".utf8), "off": Array("MEM005".utf8)]) == [
                #"--off "MEM005": names MEM005, as warnings does"#
            ])
    }

    @Test("everything that is wrong is told at once, with its place and what would be right")
    func allAtOnce() throws {
        let file = """
            early = 1
            [mediaprep]
            jobs = 0
            jbos = 2
            quality = 70
            sync = true
            what is this
            jobs = 5
            root = relative
            [profile ios]
            quality = 10
            quality-floor = 30
            sync = no
            [profile a b]
            [medaprep]
            """
        #expect(
            try Self.problems(Array(file.utf8), ["profile": Array("none".utf8), "watch": Array("events".utf8)]) == [
                "FILE:1: sets early before any group; the first is to be [mediaprep]",
                #"FILE:3: [mediaprep] jobs = "0": takes a whole number from 1 to 256; empty for one a processor"#,
                #"FILE:4: [mediaprep] jbos = "2": there is no such key here; did you mean jobs?"#,
                #"FILE:5: [mediaprep] quality = "70": there is no such key here; it belongs in a group [profile NAME]"#,
                #"FILE:6: [mediaprep] sync = "true": takes yes or no"#,
                #"FILE:7: is no group, key = value or comment: "what is this""#,
                "FILE:8: [mediaprep]: sets jobs a second time, after line 3",
                #"FILE:9: [mediaprep] root = "relative": takes an absolute path"#,
                #"FILE:12: [profile ios] quality-floor = "30": is above the quality, which is 10"#,
                #"FILE:13: [profile ios] sync = "no": there is no such key here; it belongs in [mediaprep]"#,
                "FILE:14: [profile a b]: a profile's name has letters, digits, dots, dashes and underscores, 64 at most",
                "FILE:15: [medaprep]: there is no such group; there are [mediaprep] and [profile NAME]",
                #"--watch "events": takes automatic or poll"#,
                #"--profile "none": there is no such profile; there are: ios, ios-square, fcm-android, "#
                    + "clevertap-android, airship, web, windows-toast",
            ])
    }

    struct Value: Sendable, CustomTestStringConvertible {
        var key: String
        var text: String
        var testDescription: String { "\(key) = \(text)" }

        init(_ key: String, _ text: String) {
            self.key = key
            self.text = text
        }
    }

    @Test(arguments: [
        Value("jobs", "257"), Value("jobs", "+3"), Value("jobs", "3.0"), Value("jobs", "٣"),
        Value("jobs", "99999999999999999999"), Value("settle-ms", ""), Value("settle-ms", "-1"), Value("root", ""),
        Value("inbox", "in"), Value("base-url", "cdn.example"), Value("base-url", "http://cdn.example/"),
        Value("base-url", "http://localhost/"), Value("base-url", "http://127.0.0.1:8080"),
        Value("base-url", "https://a/?q"), Value("base-url", "https://a/#f"), Value("base-url", "https://me@a/"),
        Value("base-url", "https:///a"), Value("base-url", "https://a b/"), Value("base-url", "https://é/"),
        Value("base-url", "https://a/\"b"), Value("base-url", "ftp://a/"), Value("ignore-names", "a/b"),
        Value("ignore-names", "a;;b"), Value("ignore-names", "a\nkey=b"), Value("ignore-names", #"a\q"#),
        Value("notify-command", "cat"), Value("notify-command", "/bin/sh -c 'a"),
        Value("notify-command", "   "), Value("watch", "AUTOMATIC"), Value("isolation", "perImage"),
        Value("log-format", ""), Value("profile", ""), Value("profile", "a b"), Value("root", "/a\u{1B}[2J"),
        Value("root", "/a\nb"), Value("short-edge", "15"), Value("background", "white"), Value("quality-floor", "81"),
        Value("base", "small"), Value("base", ""), Value("formats", "jpg;jpgg"), Value("formats", "JPG"),
        Value("ratio", "2:1-1:1"), Value("ratio", "1"), Value("oldest-ios", "9"), Value("errors", "ATT999"),
        Value("off", "ATT001,ATT002"), Value("categories", ";"), Value("limit-bytes", "none"),
    ])
    func refused(_ value: Value) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.load("", [value.key: value.text]) }
        let told = try #require(error).description
        #expect(told.hasPrefix("--\(value.key) \""))
        #expect(!told.utf8.contains { $0 < 0x20 })
    }

    @Test(
        arguments: [
            ("https://cdn.example/push//", "https://cdn.example/push"), ("https://a", "https://a"),
            ("HTTPS://a:8443/", "HTTPS://a:8443"), ("https://[::1]:80/", "https://[::1]:80"),
        ])
    func baseURL(_ text: String, kept: String) throws {
        let settings = try SettingTableTests.settings(["base-url": text])
        #expect(settings.baseURL == kept)
        #expect(settings.url(of: "media/ab/c.jpg") == kept + "/media/ab/c.jpg")
    }

    @Test("without a base there are no URLs")
    func noURL() {
        #expect(ServeSettings().url(of: "media/ab/c.jpg") == nil)
    }

    @Test("a command is taken apart as by a shell that expands nothing")
    func command() throws {
        let text = #"/opt/my\ hook --to "$HOME;x" 'a  b' '' # not told"#
        let settings = try SettingTableTests.settings(["notify-command": text])
        #expect(settings.notifyCommand == ["/opt/my hook", "--to", "$HOME;x", "a  b", ""])
    }

    @Test("what check-config prints is read back as the same settings")
    func roundTrip() throws {
        var odd = SettingTableTests.others
        odd["root"] = #"/srv/a\b ;#= é "#
        odd["inbox"] = "/ in"
        odd["ignore-names"] = #"a\;b;*.\s;\s*;[!a]#"#
        odd["notify-command"] = #"/bin/sh -c 'echo "it'"'"'s \\ here"; x' '' ' ' é"#
        for options in [[:], SettingTableTests.others, odd] {
            let scratch = try Scratch()
            let profile = try scratch.file("[profile small]\nquality = 60\n")
            let read = try ServeConfiguration.read(file: profile, options: options.mapValues { Array($0.utf8) })
            let again = try ServeConfiguration.read(file: scratch.file(read.keyFile), options: [:])
            // Only the profile in use is printed.
            var (first, second) = (read.settings, again.settings)
            first.profiles = []
            second.profiles = []
            #expect(first == second)
            #expect(Set(again.sources.values) == [.file])
        }
    }

    @Test("each line of check-config has its source above it")
    func sources() throws {
        let scratch = try Scratch()
        let file = try scratch.file("[mediaprep]\njobs=2\n")
        let text = try ServeConfiguration.read(file: file, options: ["sync": Array("no".utf8)]).keyFile
        #expect(text.contains("\n# file\njobs = 2\n"))
        #expect(text.contains("\n# option\nsync = no\n"))
        #expect(text.contains("\n# default\nwatch = automatic\n"))
        #expect(text.contains("\n# default: inbox in the root\ninbox =\n"))
    }

    @Test("names those changes that a running service cannot take up")
    func restart() throws {
        var later = ServeSettings()
        #expect(later.changesThatNeedRestart(from: ServeSettings()) == [])
        later.root = "/a"
        later.inbox = "/b"
        later.outbox = "/c"
        later.jobs = 2
        later.notifyJobs = 3
        later.syncs = false
        later.pollSeconds = 9
        #expect(
            later.changesThatNeedRestart(from: ServeSettings())
                == ["root", "inbox", "outbox", "jobs", "notify-jobs", "sync"])
    }
}
