import Configuration
import FoundationEssentials
import Kernel
import Testing

@testable import Service

@Suite struct LogLineTests {
    static func line(
        _ fields: [(key: String, value: LogValue)], as format: ServeSettings.LogFormat, time: String? = nil,
        hasPriority: Bool = false
    ) -> String {
        let line = LogLine(time: time, level: .info, event: "published", fields: fields, hasPriority: hasPriority)
        return String(decoding: line.bytes(as: format), as: UTF8.self)
    }

    @Test("fields keep their order in both formats, with a time or a priority in front")
    func formats() {
        let fields: [(key: String, value: LogValue)] = [("name", .path("a.jpg")), ("bytes", 12), ("code", "truncated")]
        #expect(
            Self.line(fields, as: .text, time: "2026-12-01T02:41:45.123Z")
                == "time=2026-12-01T02:41:45.123Z level=info event=published name=a.jpg bytes=12 code=truncated\n")
        #expect(
            Self.line(fields, as: .text, hasPriority: true)
                == "<6>level=info event=published name=a.jpg bytes=12 code=truncated\n")
        #expect(
            Self.line(fields, as: .json, time: "2026-12-01T02:41:45.123Z")
                == #"{"time":"2026-12-01T02:41:45.123Z","level":"info","event":"published","name":"a.jpg","#
                + #""bytes":12,"code":"truncated"}"# + "\n")
        #expect(Self.line([], as: .json, hasPriority: true) == #"<6>{"level":"info","event":"published"}"# + "\n")
    }

    struct Value: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var text: String
        var json: String

        init(_ name: String, _ bytes: [UInt8], _ text: String, _ json: String) {
            testDescription = name
            self.bytes = bytes
            self.text = text
            self.json = json
        }

        init(_ name: String, _ string: String, _ text: String, _ json: String) {
            self.init(name, Array(string.utf8), text, json)
        }
    }

    @Test(arguments: [
        Value("plain", "a-b_c.jpg", "a-b_c.jpg", "a-b_c.jpg"),
        Value("empty", "", #""""#, ""),
        Value("letters of all kinds", "é日🏔", "é日🏔", "é日🏔"),
        Value("a space", "a b", #""a b""#, "a b"),
        Value("a space that is no ASCII", "a\u{3000}b", "\"a\u{3000}b\"", "a\u{3000}b"),
        Value("a field of its own", "a code=ok", #""a code=ok""#, "a code=ok"),
        Value("an equals sign", "a=b", #""a=b""#, "a=b"),
        Value("a quotation mark", #"a"b"#, #""a\"b""#, #"a\"b"#),
        Value("a backslash", #"a\"#, #""a\\""#, #"a\\"#),
        Value("a line feed", "a\nevent=forged", #""a\nevent=forged""#, #"a\u000aevent=forged"#),
        Value("return and line feed", "a\r\nb", #""a\r\nb""#, #"a\u000d\u000ab"#),
        Value("an escape sequence", "\u{1B}[2J", #""\x1b[2J""#, #"\u001b[2J"#),
        Value("a C1 control", "\u{9B}2J", #""\u{9b}2J""#, #"\u009b2J"#),
        Value("a writing direction", "a\u{202E}gpj", #""a\u{202e}gpj""#, #"a\u202egpj"#),
        Value("a format character beyond the first plane", "\u{E0001}", #""\u{e0001}""#, #"\udb40\udc01"#),
        Value("a line separator", "a\u{2028}", #""a\u{2028}""#, #"a\u2028"#),
        Value("no UTF-8", [0x61, 0xFF], "a%FF", "a%FF"),
        Value("no UTF-8, and a space", [0x61, 0x20, 0xFF, 0x25], #""a %FF%25""#, "a %FF%25"),
        Value("no UTF-8, and a line feed", [0xFE, 0x0A], #""%FE\n""#, #"%FE\u000a"#),
    ])
    func names(_ value: Value) {
        let path = FilePath(bytes: value.bytes)
        #expect(
            Array(Self.line([("name", .path(path))], as: .text).utf8)
                == Array("level=info event=published name=\(value.text)\n".utf8))
        #expect(
            Array(Self.line([("name", .path(path))], as: .json).utf8)
                == Array((#"{"level":"info","event":"published","name":""# + value.json + "\"}\n").utf8))
    }

    @Test(
        "no byte of a name ends the line, and JSON gives every name back",
        arguments: [
            ServeSettings.LogFormat.text, .json,
        ])
    func everyByte(_ format: ServeSettings.LogFormat) throws {
        for byte in UInt8.min...UInt8.max {
            let path = FilePath(bytes: [0x61, byte, byte])
            let line = Array(Self.line([("name", .path(path))], as: format).utf8)
            #expect(line.dropLast().allSatisfy { (0x20..<0x7F).contains($0) } && line.last == UInt8(ascii: "\n"))
            if format == .json {
                let read = try JSONDecoder().decode([String: String].self, from: Data(line))
                #expect(read["name"] == path.display)
            }
        }
    }

    @Test("the longest name fits whatever its bytes are, and nothing makes a line longer than a pipe takes at once")
    func bounds() {
        let names: [[UInt8]] = [
            [UInt8](repeating: 1, count: 255), [UInt8](repeating: 0xFF, count: 255),
            Array(String(repeating: "\u{202E}", count: 85).utf8), Array(String(repeating: "\u{E0001}", count: 63).utf8),
        ]
        for format in ServeSettings.LogFormat.allCases {
            for name in names {
                let line = Self.line([("name", .path(FilePath(bytes: name))), ("bytes", 1)], as: format)
                #expect(!line.contains("…") && !line.contains("cut"))
            }
            let long = LogValue.text(String(repeating: "\n", count: 10_000))
            let line = Self.line([("a", long), ("b", long), ("c", long), ("d", 7)], as: format)
            #expect(line.utf8.count <= LogLine.maximumBytes)
            #expect(line.hasSuffix(format == .text ? " d=7 cut=yes\n" : #","d":7,"cut":true}"# + "\n"))
        }
    }
}
