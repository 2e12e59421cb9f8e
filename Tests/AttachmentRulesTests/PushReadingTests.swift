import AttachmentRules
import Testing

@Suite struct PushReadingTests {
    @Test("every member is read")
    func whole() throws {
        let push = try Push.read(
            Array(
                """
                {"order": ["b.jpg", "a.jpg"], "texts": ["one", ""], "category": "ALBUM", "alert": {"title": "Ahoy"},
                 "thread-id": "t", "custom": {"album": 7, "deep": {"a": [1.5, null, true]}}, "profile": "web",
                 "provider": "braze"}
                """.utf8))
        #expect(push.order == ["b.jpg", "a.jpg"])
        #expect(push.texts == ["one", ""])
        #expect(push.category == "ALBUM")
        #expect(push.alert == .object(["title": .string("Ahoy")]))
        #expect(push.threadID == "t")
        #expect(
            push.custom == ["album": .integer(7), "deep": .object(["a": .array([.number(1.5), .null, .bool(true)])])])
        #expect((push.profile, push.provider) == ("web", "braze"))
        #expect(try Push.read(Array("{}".utf8)) == Push())
    }

    @Test("numbers stay what they are")
    func numbers() throws {
        let push = try Push.read(
            Array(
                #"{"custom":{"a":9223372036854775807,"b":-9223372036854775808,"c":0.1,"d":1e30,"e":"\"184467440737095516150"}}"#
                    .utf8))
        #expect(
            push.custom == [
                "a": .integer(.max), "b": .integer(.min), "c": .number(0.1), "d": .number(1e30),
                "e": .string("\"184467440737095516150"),
            ])
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var document: [UInt8]
        var told: String
        var testDescription: String { told }

        init(_ document: String, _ told: String) {
            self.init(bytes: Array(document.utf8), told)
        }

        init(bytes: [UInt8], _ told: String) {
            document = bytes
            self.told = told
        }
    }

    @Test(arguments: [
        Refused("", "the push is not JSON"),
        Refused("{\"category\": \"A\"", "the push is not JSON"),
        Refused("[]", "the push is no JSON object"),
        Refused(bytes: Array("{\"category\":\"".utf8) + [0xFF] + Array("\"}".utf8), "the push is not text in UTF-8"),
        Refused(bytes: [0xFE, 0xFF, 0, 0x7B, 0, 0x7D], "the push is not text in UTF-8"),
        Refused(
            bytes: [UInt8](repeating: 0x20, count: 65_537), "the push has 65537 bytes, of which 65536 are allowed"),
        Refused(
            bytes: [UInt8](repeating: UInt8(ascii: "["), count: 33), "the push is nested deeper than 32 levels"),
        Refused(
            bytes: Array("{\"custom\":".utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 60_000),
            "the push is nested deeper than 32 levels"),
        Refused(
            #"{"cat": "A"}"#,
            #"the push has no member "cat"; there are: order, texts, category, alert, thread-id, hide-thumbnails, custom, profile, provider"#
        ),
        Refused(#"{"a\nb": 1}"#, #"the push has no member "a\u{a}b"; "#),
        Refused(
            #"{"custom": {"id": [18446744073709551615]}}"#,
            "the push has the number 18446744073709551615, which is too long to stay the same; give it as a text"),
        Refused(#"{"custom": {"id": -9223372036854775809}}"#, "the push has the number -9223372036854775809, "),
        Refused(#"{"order": "a.jpg"}"#, "order takes a list of texts, not a text"),
        Refused(#"{"order": ["a", 2]}"#, "order takes a list of texts, and number 2 is a number"),
        Refused(#"{"order": ["a", "b", "a"]}"#, #"order names "a" more than once"#),
        Refused(
            #"{"order": ["a", "b"], "texts": ["x"]}"#,
            "texts has 1 texts for the 2 attachments of order; give one for each"),
        Refused(#"{"category": ""}"#, "category takes a text that is not empty, not an empty text"),
        Refused(#"{"thread-id": 3}"#, "thread-id takes a text that is not empty, not a number"),
        Refused(#"{"alert": 3}"#, "alert takes a text or an object, not a number"),
        Refused(#"{"alert": {"title": null}}"#, "alert.title takes a text, not null"),
        Refused(#"{"alert": {"loc-args": [1]}}"#, "alert.loc-args takes a list of texts, not a list"),
        Refused(#"{"alert": {"text": "a"}}"#, #"alert has no member "text"; there are: body, launch-image, "#),
        Refused(#"{"custom": []}"#, "custom takes an object with the app's own keys, not a list"),
        Refused(#"{"custom": {"aps": {}}}"#, "custom has the key aps, which is Apple's"),
        Refused(#"{"provider": "APNs"}"#, #"provider is "APNs", which is none; there are: apns, fcm, "#),
        Refused(#"{"profile": true}"#, "profile takes a text that is not empty, not a truth value"),
    ])
    func refused(_ push: Refused) {
        let rejection = #expect(throws: Rejection.self) { try Push.read(push.document) }
        #expect(rejection?.rule == .badPush)
        #expect(rejection?.code == .badPush)
        #expect(rejection?.stage == .push)
        #expect(rejection?.message.hasPrefix(push.told) == true, "\(rejection?.message ?? "")")
    }

    @Test("without an order, names are sorted by their bytes, and digits count as numbers")
    func names() throws {
        let names = [
            "10.jpg", "b", "a10", "a9", "a09", "B", "é", "9.jpg", "a", "a9b", "01", "1", "photo 2", "photo 10",
        ]
        #expect(
            try Push().arranged(names) == [
                "01", "1", "9.jpg", "10.jpg", "B", "a", "a09", "a9", "a9b", "a10", "b", "photo 2", "photo 10", "é",
            ])
        let digits = String(repeating: "9", count: 200)
        #expect(try Push().arranged([digits + "0", digits, "0" + digits]) == ["0" + digits, digits, digits + "0"])
    }

    @Test("an order is kept")
    func order() throws {
        var push = Push()
        push.order = ["b", "c", "a"]
        push.texts = ["1", "2", "3"]
        #expect(try push.arranged(["a", "b", "c"]) == ["b", "c", "a"])
        // The same letter in two spellings is two names.
        push.order = ["e\u{301}", "\u{E9}", "x"]
        #expect(try push.arranged(["x", "\u{E9}", "e\u{301}"]).map { Array($0.utf8).count } == [3, 2, 1])
    }

    @Test(
        "an order names each attachment once, and texts are as many",
        arguments: [
            (["a"], nil, #"order leaves out "b"; it has to name each attachment once"#),
            (["a", "b", "c"], nil, #"order names "c", which is not there; it has to name each attachment once"#),
            (["c", "a"], nil, #"order names "c", which is not there and leaves out "b"; "#),
            (["a", "a"], nil, #"order names "a" more than once"#),
            (nil, ["x"], "texts has 1 texts for 2 attachments; give one for each, or none"),
        ] as [([String]?, [String]?, String)])
    func contradictions(_ order: [String]?, _ texts: [String]?, _ told: String) {
        var push = Push()
        push.order = order
        push.texts = texts
        let rejection = #expect(throws: Rejection.self) { try push.arranged(["b", "a"]) }
        #expect(rejection?.message.hasPrefix(told) == true, "\(rejection?.message ?? "")")
    }
}
