import AttachmentRules
import Configuration
import Foundation
import JobProtocol
import Kernel
import Testing

@testable import Service
@testable import Spool

/// The lines of the service's events, which nothing that comes from outside can forge.
@Suite struct ServiceEventsTests {
    struct Event: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var tell: @Sendable (ServiceLog) -> Void
        var text: String
        var json: String

        init(_ name: String, _ text: String, _ json: String, _ tell: @escaping @Sendable (ServiceLog) -> Void) {
            testDescription = name
            self.tell = tell
            self.text = text
            self.json = json
        }
    }

    static func manifest(_ name: FilePath, rejection: Rejection? = nil) -> Manifest {
        var manifest = Manifest(
            name: name.display, status: rejection == nil ? .published : .rejected, recipe: "r",
            createdAt: "2026-12-01T02:41:45Z", source: Manifest.Source(name: name.display, path: name.display))
        manifest.rejection = rejection
        guard rejection == nil else { return manifest }
        manifest.id = "00ff"
        var output = Manifest.Output(width: 3, height: 2)
        output.bytes = 1234
        manifest.output = output
        manifest.encoder = Manifest.Encoder(
            recipe: Recipe(), quality: 82, reason: "as-asked", progressive: false, attempts: 1, libvips: "8.14.1")
        return manifest
    }

    /// Of a push of two attachments.
    static var push: Manifest {
        var push = manifest("a")
        push.id = nil
        push.output = nil
        push.encoder = nil
        push.attachments = [manifest("1.jpg"), manifest("2.jpg")]
        return push
    }

    static let empty = Rejection(.empty, rule: .notAFile, stage: .intake, "It is empty.")
    static let id = ClaimID(value: 0xAB)

    static let events = [
        Event(
            "published",
            "level=info event=published name=a.jpg claim=00000000000000ab id=00ff bytes=1234 quality=82 ms=13",
            #""level":"info","event":"published","name":"a.jpg","claim":"00000000000000ab","id":"00ff","bytes":1234,"quality":82,"ms":13"#
        ) { $0.outcome(manifest("a.jpg"), of: id, isReused: false, after: .microseconds(12_500)) },
        Event(
            "published again",
            "level=info event=published name=a.jpg claim=00000000000000ab id=00ff bytes=1234 quality=82 reused=yes ms=0",
            #""level":"info","event":"published","name":"a.jpg","claim":"00000000000000ab","id":"00ff","bytes":1234,"quality":82,"#
                + #""reused":"yes","ms":0"#
        ) { $0.outcome(manifest("a.jpg"), of: id, isReused: true, after: .zero) },
        Event(
            "a push published",
            "level=info event=published name=a claim=00000000000000ab attachments=2 bytes=2468 ms=0",
            #""level":"info","event":"published","name":"a","claim":"00000000000000ab","attachments":2,"bytes":2468,"ms":0"#
        ) { $0.outcome(push, of: id, isReused: false, after: .zero) },
        Event(
            "rejected",
            #"level=notice event=rejected name=a.jpg claim=00000000000000ab code=empty rule=ATT001 ms=2000 message="It is empty.""#,
            #""level":"notice","event":"rejected","name":"a.jpg","claim":"00000000000000ab","code":"empty","rule":"ATT001","ms":2000,"#
                + #""message":"It is empty.""#
        ) { $0.outcome(manifest("a.jpg", rejection: empty), of: id, isReused: false, after: .seconds(2)) },
        Event(
            "stalled", #"level=error event=stalled message="/out: No space""#,
            #""level":"error","event":"stalled","message":"/out: No space""#
        ) { $0.stalled("/out: No space") },
        Event(
            "resumed", "level=notice event=resumed was=full",
            #""level":"notice","event":"resumed","was":"full""#
        ) { $0.resumed("full") },
        Event(
            "remark", #"level=info event=decoder-remark name=a.jpg message="VIPS: odd""#,
            #""level":"info","event":"decoder-remark","name":"a.jpg","message":"VIPS: odd""#
        ) { $0.remark("VIPS: odd", on: "a.jpg") },
        Event(
            "notified", "level=info event=notified claim=00000000000000ab",
            #""level":"info","event":"notified","claim":"00000000000000ab""#
        ) { $0.notified(id) },
        Event(
            "a run that failed",
            #"level=warning event=notify-failed claim=00000000000000ab attempt=2 message="it exited with status 1""#,
            #""level":"warning","event":"notify-failed","claim":"00000000000000ab","attempt":2,"#
                + #""message":"it exited with status 1""#
        ) { $0.notifyFailed(id, "it exited with status 1", attempt: 2, isLast: false) },
        Event(
            "the last run that failed",
            #"level=error event=notify-given-up claim=00000000000000ab attempt=10 message="not done after 1 s""#,
            #""level":"error","event":"notify-given-up","claim":"00000000000000ab","attempt":10,"#
                + #""message":"not done after 1 s""#
        ) { $0.notifyFailed(id, "not done after 1 s", attempt: 10, isLast: true) },
        Event("reloaded", "level=notice event=reloaded", #""level":"notice","event":"reloaded""#) { $0.reloaded() },
        Event(
            "not reloaded",
            #"level=error event=not-reloaded message="the settings stay as they are: no-such-key""#,
            #""level":"error","event":"not-reloaded","message":"the settings stay as they are: no-such-key""#
        ) { $0.notReloaded("no-such-key") },
        Event(
            "watching", #"level=notice event=watching message="The inbox is watched by events.""#,
            #""level":"notice","event":"watching","message":"The inbox is watched by events.""#
        ) { $0.arrivals(.watching) },
        Event(
            "no inbox",
            #"level=error event=inbox-unavailable message="/in cannot be read: Permission denied. "#
                + #"Tried again every second.""#,
            #""level":"error","event":"inbox-unavailable","message":"/in cannot be read: Permission denied. "#
                + #"Tried again every second.""#
        ) { $0.arrivals(.inboxUnavailable("/in", .permissionDenied)) },
        Event(
            "a weak sandbox",
            #"level=warning event=weak-sandbox message="pictures are decoded in a weak sandbox: "#
                + #"landlock is missing (ENOSYS)""#,
            #""level":"warning","event":"weak-sandbox","message":"pictures are decoded in a weak sandbox: "#
                + #"landlock is missing (ENOSYS)""#
        ) { $0.weakSandbox([MissingLayer(.landlock, reason: "ENOSYS")]) },
        Event("the end", "level=notice event=stopped", #""level":"notice","event":"stopped""#) { $0.stopped() },
    ]

    @Test("one line each, with the same keys in both formats", arguments: events)
    func lines(_ event: Event) throws {
        #expect(try Self.lines(.text, event.tell) == [event.text])
        #expect(try Self.lines(.json, event.tell) == ["{" + event.json + "}"])
    }

    @Test("what is not missing is not told")
    func wholeSandbox() throws {
        #expect(try Self.lines(.text) { $0.weakSandbox([]) } == [])
    }

    @Test("what the start found: each stranger, and the counts")
    func recovered() throws {
        var recovery = Recovery()
        recovery.strangers = ["/r/work/x", "/r/work/a\nb"]
        recovery.removed = 3
        let found = recovery
        let lines = try Self.lines(.text) { $0.recovered(found) }
        let left = #"message="it is nothing of ours, and is left alone""#
        try #require(lines.count == 3)
        #expect(lines[0] == "level=warning event=stranger path=/r/work/x \(left)")
        #expect(lines[1] == #"level=warning event=stranger path="/r/work/a\nb" "# + left)
        #expect(lines[2] == "level=info event=recovered claims=0 removed=3")
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]

        init(_ name: String, _ text: String) {
            testDescription = name
            bytes = Array(text.utf8)
        }
    }

    static let hostile = [
        Hostile("a line of its own", "a\ntime=2026-12-01T00:00:00.000Z level=info event=published name=b"),
        Hostile("a return", "a\r\nlevel=info event=published"),
        Hostile("an object of its own", "a\"}\n{\"event\":\"published\",\"name\":\"b"),
        Hostile("a key of its own", "a code=ok event=published"),
        Hostile("a quotation mark and a key", #"a" event="published"#),
        Hostile("a backslash at the end", #"a\"#),
        Hostile("a terminal's escape", "\u{1B}[2J\u{1B}]0;x\u{7}"),
        Hostile("a C1 control", "\u{9B}31m\u{85}event=published"),
        Hostile("line and paragraph separators", "a\u{2028}b\u{2029}c"),
        Hostile("writing directions", "a\u{202E}gpj\u{2066}b"),
        Hostile("a priority of the journal", "\n<3>level=error"),
    ]

    static func tells(_ text: String) -> [(event: String, key: String, tell: @Sendable (ServiceLog) -> Void)] {
        let name = FilePath(text)
        let rejection = Rejection(.badReply, rule: .doesNotDecode, stage: .worker, text)
        return [
            ("published", "name", { $0.outcome(manifest(name), of: id, isReused: false, after: .zero) }),
            (
                "rejected", "name",
                { $0.outcome(manifest(name, rejection: empty), of: id, isReused: false, after: .zero) }
            ),
            (
                "rejected", "message",
                { $0.outcome(manifest("b", rejection: rejection), of: id, isReused: false, after: .zero) }
            ),
            ("immovable", "name", { $0.immovable(name, .notPermitted) }),
            ("decoder-remark", "name", { $0.remark("odd", on: name) }),
            ("decoder-remark", "message", { $0.remark(text, on: "b") }),
            ("stalled", "message", { $0.stalled(text) }),
            ("notify-failed", "message", { $0.notifyFailed(id, text, attempt: 1, isLast: false) }),
        ]
    }

    @Test("names and messages from outside forge nothing", arguments: hostile)
    func forgery(_ hostile: Hostile) throws {
        let text = String(decoding: hostile.bytes, as: UTF8.self)
        for (event, key, tell) in Self.tells(text) {
            let json = try Self.lines(.json, tell)
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data((json.first ?? "").utf8)) as? [String: Any])
            #expect(json.count == 1)
            #expect(object["event"] as? String == event)
            #expect((object[key] as? String).map { Array($0.utf8) } == hostile.bytes)

            let lines = try Self.lines(.text, tell)
            let line = try #require(lines.first)
            #expect(lines.count == 1)
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(!line.contains("\u{202E}") && !line.contains("\u{2028}"))
            #expect(Self.keys(line).count(where: { $0 == "event" }) == 1)
            #expect(Self.keys(line).count(where: { $0 == key }) == 1)
        }
    }

    @Test("a name that is not UTF-8 is one value too")
    func bytes() throws {
        let name = FilePath(bytes: [0xFF, 0x0A, 0x22])
        let lines = try Self.lines(.text) { $0.immovable(name, .notPermitted) }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(#"level=warning event=immovable name="%FF\n\"" error="#) == true)
    }

    @Test("a message without end does not push the others out of their line")
    func longMessage() throws {
        let long = String(repeating: "\n", count: 100_000)
        for format in ServeSettings.LogFormat.allCases {
            let rejection = Rejection(.badReply, rule: .doesNotDecode, stage: .worker, long)
            let lines = try Self.lines(format) {
                $0.outcome(Self.manifest("a", rejection: rejection), of: Self.id, isReused: false, after: .zero)
            }
            #expect(lines.count == 1)
            #expect(lines.first.map { $0.utf8.count < LogLine.maximumBytes && $0.contains("bad-reply") } == true)
        }
    }

    /// The lines that an event makes, without time and priority.
    static func lines(_ format: ServeSettings.LogFormat, _ tell: (ServiceLog) -> Void) throws -> [String] {
        let ends = try LogTests.Ends(pipe: true)
        let status = try ends.writer.status()
        tell(
            ServiceLog(
                format, descriptor: ends.writer.rawValue, journalStream: "\(status.device):\(status.inode)"))
        let text = try ends.text()
        #expect(text.isEmpty || text.last == "\n")
        return text.split(separator: "\n").map { line in
            #expect(line.wholeMatch(of: #/<\d>.*/#) != nil)
            return String(line.dropFirst(3))
        }
    }

    /// The keys as a reader of the text format takes them: a value in quotes ends with its quotation mark.
    static func keys(_ line: String) -> [String] {
        line.matches(of: #/([a-z]+)=(?:"(?:[^"\\]|\\.)*"|[^ "]*)(?: |$)/#).map { String($0.output.1) }
    }
}
