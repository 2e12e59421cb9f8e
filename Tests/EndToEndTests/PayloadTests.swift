import Foundation
import Testing

@Suite struct PayloadTests {
    let scratch: Scratch
    let program = Program()

    init() throws {
        scratch = try Scratch()
        try scratch.write(Array(Self.manifest("a.png", Self.digest).utf8), to: "a.json")
        try scratch.write(Array(Self.manifest("b.png", "b", url: "https://cdn.example/b.jpg").utf8), to: "b.json")
    }

    /// SHA-256 of `picture`.
    private static let digest = "2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97"

    private static func manifest(_ name: String, _ digest: String, url: String? = nil) -> String {
        let address = url.map { #""url":"\#($0)","# } ?? ""
        return #"""
            {"schema":"mediaprep.manifest/1","name":"\#(name)","status":"published","recipe":"r","created_at":"now",
            "source":{"name":"\#(name)","path":"\#(name)"},"output":{\#(address)"path":"media/\#(digest.prefix(2))/\#(digest).jpg",
            "sha256":"\#(digest)","bytes":7,"family":"image","media_type":"image/jpeg","uti":"public.jpeg",
            "extension":"jpg","metadata_stripped":true}}
            """#
    }

    private func run(_ arguments: String..., input: String = "") throws -> Program.Result {
        try program.run(["payload", "--config", "/dev/null"] + arguments, in: scratch.url, input: Data(input.utf8))
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("options come before push.json, which orders the attachments")
    func sending() throws {
        try scratch.write(
            Array(
                #"{"order":["b.png","a.png"],"texts":["B","A"],"alert":"Body","category":"ALBUM","custom":{"x":1}}"#
                    .utf8),
            to: "push.json")
        let result = try run(
            "a.json", "b.json", "--push", "push.json", "--title", "Ahoy", "--category", "STORY", "--custom",
            #"{"y":2}"#,
            "--base-url", "https://media.example/")
        #expect((result.status, result.errors) == (0, ""))
        #expect(!result.output.hasSuffix("\n"))
        let document = try object(result.output)
        let aps = document["aps"] as? [String: Any]
        #expect(aps?["alert"] as? [String: String] == ["title": "Ahoy", "body": "Body"])
        #expect(aps?["category"] as? String == "STORY")
        #expect((document["x"] as? Int, document["y"] as? Int) == (1, 2))
        let attachments = document["attachments"] as? [[String: Any]]
        #expect(
            attachments?.compactMap { $0["url"] as? String } == [
                "https://cdn.example/b.jpg", "https://media.example/\(Self.digest.prefix(2))/\(Self.digest).jpg",
            ])
        #expect(attachments?.compactMap { $0["text"] as? String } == ["B", "A"])
        let pretty = try run(
            "a.json", "--base-url", "https://media.example", "--title", "T", "--pretty", "--provider", "braze")
        #expect(pretty.output.hasPrefix("{\n  \"ab\": {\n    \"att\": {\n      \"type\": \"jpg\",\n"))
    }

    @Test("a group's manifest has its push and all its attachments")
    func group() throws {
        let members = [Self.manifest("b.png", "b"), Self.manifest("a.png", "a")].joined(separator: ",")
        let push = #"{"alert":"Ahoy","provider":"onesignal-device","texts":["",""]}"#
        try scratch.write(
            Array(
                #"""
                {"schema":"mediaprep.manifest/1","name":"g","status":"published","recipe":"r","created_at":"now",
                "source":{"name":"g","path":"g"},"push":\#(push),"attachments":[\#(members)]}
                """#.utf8), to: "g.json")
        let result = try run("g.json", "--base-url", "https://m.example")
        #expect((result.status, result.errors) == (0, ""))
        #expect(
            try object(result.output)["att"] as? [String: String] == [
                "1-b": "https://m.example/b/b.jpg", "2-a": "https://m.example/a/a.jpg",
            ])
    }

    private func writeGroup() throws {
        let film = Self.manifest("f.mov", "f").replacing(".jpg", with: ".mp4")
            .replacing("image/jpeg", with: "video/mp4").replacing("family\":\"image", with: "family\":\"movie")
            .dropLast()
        let still =
            #""poster":{"path":"media/e/e.jpg","sha256":"e","bytes":7,"family":"image","#
            + #""media_type":"image/jpeg","uti":"public.jpeg","extension":"jpg","metadata_stripped":true}"#
        let members = [Self.manifest("a.png", "a"), "\(film),\(still)}"].joined(separator: ",")
        let push = #"{"alert":"Ahoy","category":"ALBUM","texts":["A","F"]}"#
        try scratch.write(
            Array(
                #"""
                {"schema":"mediaprep.manifest/1","name":"g","status":"published","recipe":"r","created_at":"now",
                "source":{"name":"g","path":"g"},"push":\#(push),"attachments":[\#(members)]}
                """#.utf8), to: "g.json")
    }

    @Test("a push.json orders the attachments of a group too, each with its text, and leaves what it does not say")
    func ordersGroup() throws {
        try writeGroup()
        try scratch.write(Array(#"{"order":["f.mov","a.png"],"alert":"New"}"#.utf8), to: "push.json")
        let result = try run("g.json", "--push", "push.json", "--base-url", "https://m.example")
        #expect((result.status, result.errors) == (0, ""))
        let document = try object(result.output)
        let aps = document["aps"] as? [String: Any]
        #expect((aps?["alert"] as? String, aps?["category"] as? String) == ("New", "ALBUM"))
        let attachments = try #require(document["attachments"] as? [[String: Any]])
        #expect(attachments.map { $0["url"] as? String } == ["https://m.example/f/f.mp4", "https://m.example/a/a.jpg"])
        #expect(attachments.map { $0["text"] as? String } == ["F", "A"])

        try scratch.write(Array(#"{"order":["b.png"],"alert":"New"}"#.utf8), to: "push.json")
        let stranger = try run("g.json", "--push", "push.json", "--base-url", "https://m.example")
        #expect(stranger.status == 1 && stranger.errors.contains("PAY008 order names"))
        let same = try run("b.json", "b.json", "--push", "push.json")
        #expect(same.status == 1 && same.errors.contains("PAY008 two attachments have the name"))
    }

    @Test("a film's still picture is sent where films are not shown, and is one of the media that were published")
    func still() throws {
        try writeGroup()
        let sent = try run("g.json", "--provider", "fcm", "--base-url", "https://m.example")
        #expect(sent.status == 0)
        #expect(sent.output.contains(#""android":{"notification":{"image":"https://m.example/a/a.jpg"}}"#))
        let payload = #"{"title":"T","options":{"image":"https://m.example/e/e.jpg"}}"#
        let check = try run("--check", "-", "--provider", "webpush", "--manifest", "g.json", input: payload)
        #expect((check.status, check.output.contains("nothing found")) == (0, true), "\(check.output)")
    }

    @Test(
        "what cannot be sent is refused with its rule, and what cannot be understood is a matter of usage",
        arguments: [
            (["b.json"], 1, "PAY002 the push has no alert"),
            (["b.json", "--title", "T", "--custom", #"{"aps":1}"#], 1, #"PAY008 custom has the key "aps""#),
            (["a.json", "--title", "T", "--base-url", "http://localhost"], 2, #"--base-url "http://localhost": "#),
            (["a.json", "--title", "T"], 2, "the manifest of a.png has no URL; give --base-url"),
            (["none.json", "--title", "T"], 2, "cannot read none.json: No such file or directory"),
            (["b.json", "--title", "T", "--provider", "none"], 2, "--provider takes one of apns, fcm, "),
            (["b.json", "--title", "T", "--profile", "none"], 2, #"there is no profile "none"; there are: ios, "#),
            (["b.json", "--custom", "[]"], 2, "cannot read []: "),
            (["--push", "b.json", "b.json"], 1, "PAY008 the push has no member "),
            (["a.json", "--title", "T", "--base-url", "ftp://a"], 2, #"--base-url "ftp://a": takes an https URL"#),
            ([], 2, "no MANIFEST was given"), (["--check"], 2, "no FILE was given"),
        ] as [([String], Int32, String)])
    func refused(_ arguments: [String], _ status: Int32, _ told: String) throws {
        let result = try program.run(["payload", "--config", "/dev/null"] + arguments, in: scratch.url)
        #expect((result.status, result.output) == (status, ""))
        #expect(result.errors.hasPrefix("mediaprep payload: \(told)"), "\(result.errors)")
    }

    @Test("a long text is refused with what to cut, and fits after that")
    func tooLong() throws {
        let body = String(repeating: "🎈", count: 1200)
        let result = try run("b.json", "--body", body)
        #expect(result.status == 1)
        let match = try #require(result.errors.firstMatch(of: #/PAY001 .*; cut alert.body, which has 4800, by (\d+)/#))
        let cut = try #require(Int(match.output.1))
        let shorter = try run("b.json", "--body", String(body.dropLast((cut + 3) / 4)))
        #expect(shorter.status == 0)
        #expect((4093...4096).contains(shorter.output.utf8.count))
        #expect(try run("b.json", "--body", body, "--voip").status == 0)
    }

    @Test("a foreign payload is told why it would not show")
    func check() throws {
        let payload = #"{"aps":{"alert":"a","category":"X"},"attachment-url":"http://cdn.example/a.PNG"}"#
        let result = try run("--check", "-", "--categories", "ALBUM,STORY", input: payload)
        #expect((result.status, result.errors) == (1, ""))
        let rules = result.output.matches(of: #/(?m)^  (error|warning) ([A-Z]{3}\d{3}) /#).map { $0.output.2 }
        #expect(rules == ["URL001", "URL002", "PAY002", "PAY006"])
        #expect(result.output.hasPrefix("-: apns, 80 bytes, 1 media, 4 found\n"))
        #expect(try run("--check", "-", "--categories", "ALBUM, X ,", input: payload).output.contains("3 found"))
        let json = try object(try run("--check", "-", "--json", "--provider", "braze", input: payload).output)
        #expect(json["provider"] as? String == "braze")
        #expect((json["findings"] as? [Any])?.count == 2)
    }

    @Test("media are held against the outbox, by a manifest or by their names")
    func outbox() throws {
        let sent = try run("a.json", "--base-url", "https://m.example", "--title", "T")
        try scratch.write(Array(sent.output.utf8), to: "payload")
        let missing = try run("--check", "payload", "--outbox", ".")
        #expect(missing.status == 1)
        #expect(missing.output.contains("PAY003"))
        try scratch.write(Array("picture".utf8), to: "media/\(Self.digest.prefix(2))/\(Self.digest).jpg")
        for more in [[], ["--manifest", "b.json", "--manifest", "a.json"]] {
            let check = { try program.run(["payload", "--check", "payload", "--outbox", "."] + more, in: scratch.url) }
            let right = try check()
            #expect((right.status, right.output.contains("nothing found")) == (0, true), "\(right.output)")
            try scratch.write(Array("changed".utf8), to: "media/\(Self.digest.prefix(2))/\(Self.digest).jpg")
            #expect(try check().output.contains("error PAY003"))
            try scratch.write(Array("picture".utf8), to: "media/\(Self.digest.prefix(2))/\(Self.digest).jpg")
        }
        #expect(try run("--check", "payload", "--manifest", "b.json").output.contains("not among the media"))
    }

    @Test("profiles are printed as a table and as JSON, with those of the key file")
    func profiles() throws {
        try scratch.write(Array("[mediaprep]\nprofile = mine\n[profile mine]\nbase = web\nratio =\n".utf8), to: "conf")
        let result = try program.run(["profiles", "--config", "conf"], in: scratch.url)
        #expect((result.status, result.errors) == (0, ""))
        let lines = result.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("*  mine ") && $0.contains("  1013  ") })
        #expect(lines.contains { $0.hasPrefix("   fcm-android ") && $0.contains("7:4-9:4") })
        let json = try object(try program.run(["profiles", "--config", "conf", "--json"], in: scratch.url).output)
        let mine = json["mine"] as? [String: Any]
        #expect((mine?["base"] as? String, mine?["ratio"] as? String, mine?["in-use"] as? Bool) == ("web", "", true))
        #expect(json.count == 8)
        #expect(try program.run(["profiles", "stray"], in: scratch.url).status == 2)
    }
}
