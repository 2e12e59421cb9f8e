import Kernel
import Testing

@Suite struct FilePathTests {
    struct TextCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var display: String
        var terminal: String

        init(_ name: String, _ bytes: [UInt8], display: String, terminal: String) {
            testDescription = name
            self.bytes = bytes
            self.display = display
            self.terminal = terminal
        }

        init(_ name: String, _ text: String, terminal: String) {
            self.init(name, Array(text.utf8), display: text, terminal: terminal)
        }
    }

    @Test(arguments: [
        TextCase("plain", "a/b.jpg", terminal: "a/b.jpg"),
        TextCase("empty", "", terminal: ""),
        TextCase("accents and emoji", "é/日本/🏔.jpg", terminal: "é/日本/🏔.jpg"),
        TextCase("decomposed accent stays decomposed", "e\u{301}", terminal: "e\u{301}"),
        TextCase("percent in valid text stays", "100%25.jpg", terminal: "100%25.jpg"),
        TextCase("newline, return, tab", "a\nb\rc\td", terminal: #"a\nb\rc\td"#),
        TextCase("carriage return and newline", "a\r\nb", terminal: #"a\r\nb"#),
        TextCase("escape sequence", "\u{1B}[2Ja", terminal: #"\x1b[2Ja"#),
        TextCase("delete and bell", "\u{7F}\u{07}", terminal: #"\x7f\x07"#),
        TextCase("C1 control", "a\u{9B}31m", terminal: #"a\u{9b}31m"#),
        TextCase("writing direction", "a\u{202E}gpj", terminal: #"a\u{202e}gpj"#),
        TextCase("line separator", "a\u{2028}b", terminal: #"a\u{2028}b"#),
        TextCase("backslash", #"a\nb"#, terminal: #"a\\nb"#),
        TextCase("one invalid byte", [0x61, 0xFF, 0x62], display: "a%FFb", terminal: #"a\xffb"#),
        TextCase("percent beside invalid", [0x25, 0xFF], display: "%25%FF", terminal: #"%\xff"#),
        TextCase("Latin-1", [0x63, 0x61, 0x66, 0xE9, 0x2E], display: "caf%E9.", terminal: #"caf\xe9."#),
        TextCase("valid letters around", [0xC3, 0xA9, 0x80, 0xC3, 0xA9], display: "é%80é", terminal: #"é\x80é"#),
        TextCase("cut off at the end", [0x61, 0xE6, 0x97], display: "a%E6%97", terminal: #"a\xe6\x97"#),
        TextCase("overlong slash", [0xC0, 0xAF], display: "%C0%AF", terminal: #"\xc0\xaf"#),
        TextCase("surrogate", [0xED, 0xA0, 0x80], display: "%ED%A0%80", terminal: #"\xed\xa0\x80"#),
        TextCase("beyond Unicode", [0xF4, 0x90, 0x80, 0x80], display: "%F4%90%80%80", terminal: #"\xf4\x90\x80\x80"#),
        TextCase("newline beside invalid", [0x0A, 0xFE], display: "\n%FE", terminal: #"\n\xfe"#),
    ])
    func textForms(_ name: TextCase) {
        let path = FilePath(bytes: name.bytes)
        #expect(Array(path.display.utf8) == Array(name.display.utf8))
        #expect(Array(path.escapedForTerminal.utf8) == Array(name.terminal.utf8))
    }

    @Test func everyByteAloneIsShownOnOneLine() {
        for byte in UInt8.min...UInt8.max {
            let shown = FilePath(bytes: [byte]).escapedForTerminal
            #expect(!shown.isEmpty && shown.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        }
    }

    @Test(
        arguments: [
            ("", [], "", ""),
            ("a", ["a"], "a", ""),
            ("/", [], "", "/"),
            ("/a", ["a"], "a", "/"),
            ("//a", ["a"], "a", "/"),
            ("a/b", ["a", "b"], "b", "a"),
            ("/a/b", ["a", "b"], "b", "/a"),
            ("a//b//", ["a", "b"], "b", "a"),
            ("a/./..", ["a", ".", ".."], "..", "a/."),
        ] as [(FilePath, [FilePath], FilePath, FilePath)])
    func parts(_ path: FilePath, components: [FilePath], last: FilePath, parent: FilePath) {
        #expect(path.components == components)
        #expect(path.lastComponent == last)
        #expect(path.removingLastComponent == parent)
    }

    @Test(
        arguments: [
            ("", "a", "a"), ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"), ("a", "b/c", "a/b/c"),
        ] as [(FilePath, FilePath, FilePath)])
    func appending(_ path: FilePath, component: FilePath, expected: FilePath) {
        #expect(path.appending(component) == expected)
    }

    @Test func orderIsThatOfBytes() {
        let names = ["a", "Z", "é", "a/b", "a b", ""].map { FilePath($0) } + [FilePath(bytes: [0xFF])]
        #expect(names.sorted().map(\.display) == ["", "Z", "a", "a b", "a/b", "é", "%FF"])
    }

    @Test func nothingCanBeOpenedByANameWithNUL() throws {
        let directory = try TemporaryDirectory()
        try directory.write("secret", to: "a")
        let path = FilePath(bytes: [0x61, 0, 0x62])
        #expect(throws: Errno.invalidArgument) {
            _ = try FileDescriptor.open(path, flags: .readOnly, relativeTo: directory.descriptor)
        }
    }
}
