import Configuration
import Foundation
import Glibc
import Kernel
import Testing

@Suite struct KeyFileTests {
    @Test("notation that is no matter of taste is taken as GKeyFile takes it")
    func notation() throws {
        let settings = try ServeConfigurationTests.load(
            "\r\n# a comment\r\n  [mediaprep]  \r\n\tjobs=3\r\nroot  =  /a\\sb\r\n[mediaprep]\r\npoll-seconds = 4")
        #expect(settings.jobs == 3)
        #expect(settings.root == "/a b")
        #expect(settings.pollSeconds == 4)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var problems: [String]

        init(_ name: String, _ bytes: [UInt8], _ problems: String...) {
            testDescription = name
            self.bytes = bytes
            self.problems = problems
        }

        init(_ name: String, _ text: String, _ problems: String...) {
            testDescription = name
            bytes = Array(text.utf8)
            self.problems = problems
        }
    }

    @Test(arguments: [
        Case("empty", ""),
        Case("comments only", "# a\n\n"),
        Case(
            "no UTF-8", Array("[mediaprep]\nroot = /".utf8) + [0xFF], #"FILE:2: is not text in UTF-8: "root = /\xff""#),
        Case("a NUL", Array("[mediaprep]\njobs = 1".utf8) + [0], #"FILE:2: is not text in UTF-8: "jobs = 1\x00""#),
        Case(
            "an escape sequence", "[mediaprep]\n\u{1B}[2J\n",
            #"FILE:2: is no group, key = value or comment: "\x1b[2J""#),
        Case("half a group", "[mediaprep\n", #"FILE:1: is no group, key = value or comment: "[mediaprep""#),
        Case("no key", "[mediaprep]\n= 3\n", #"FILE:2: is no group, key = value or comment: "= 3""#),
        Case(
            "another language", "[mediaprep]\njobs[xx] = 3\n",
            #"FILE:2: [mediaprep] jobs[xx] = "3": there is no such key here; "#),
        Case(
            "an unknown escape", "[mediaprep]\nroot = /a\\qb\n",
            #"FILE:2: [mediaprep] root = "/a\\qb": has a backslash that is no escape of key files; "#
                + "takes an absolute path"),
        Case(
            "a line feed by escape", "[mediaprep]\nroot = /a\\nb\n",
            #"FILE:2: [mediaprep] root = "/a\\nb": holds control characters; takes an absolute path"#),
    ])
    func told(_ file: Case) throws {
        let problems = try ServeConfigurationTests.problems(file.bytes)
        #expect(problems.count == file.problems.count)
        for (problem, expected) in zip(problems, file.problems) { #expect(problem.hasPrefix(expected)) }
    }

    @Test("of a file that is something else, not every line is told")
    func wrongFile() throws {
        let problems = try ServeConfigurationTests.problems(Array(String(repeating: "x\n", count: 1000).utf8))
        #expect(problems.count == 21)
        #expect(problems.last == "FILE: has 980 more lines that cannot be read")
    }

    private func reason(_ file: FilePath) -> String? {
        do throws(ConfigurationError) {
            _ = try ServeConfiguration.load(file: file, options: [:])
            return nil
        } catch {
            return error.problems.map(\.reason).joined(separator: "\n")
        }
    }

    @Test("a file that cannot be read is told of")
    func unreadable() throws {
        let scratch = try Scratch()
        let path = FilePath(scratch.url.path)
        #expect(reason(path.appending("missing")) == "cannot be read: No such file or directory")
        #expect(reason(path) == "cannot be read: it is a directory")
        #expect(mkfifo(scratch.url.appending(path: "fifo").path, 0o600) == 0)
        #expect(reason(path.appending("fifo")) == "cannot be read: it is a FIFO")
        let large = try scratch.file([UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20 + 1))
        #expect(reason(large) == "is larger than 1048576 bytes, which no settings are")
        #expect(reason(try scratch.file([UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20))) == nil)
        #expect(reason("/dev/null") == nil)
    }

    @Test("an option that is not UTF-8 is refused, since no key file could hold it")
    func optionBytes() {
        let error = #expect(throws: ConfigurationError.self) {
            try ServeConfiguration.load(file: "/dev/null", options: ["root": [0x2F, 0xFF]])
        }
        #expect(error?.description == #"--root "/\xff": is not text in UTF-8"#)
    }
}
