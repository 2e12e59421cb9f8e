import Foundation
import Testing

@Suite struct CheckConfigTests {
    let scratch: Scratch
    let program = Program()

    init() throws {
        scratch = try Scratch()
    }

    private func run(_ arguments: String...) throws -> Program.Result {
        try program.run(arguments, in: scratch.url)
    }

    private func keys(_ keyFile: String) -> Set<String> {
        Set(keyFile.matches(of: #/(?m)^([a-z-]+) =/#).map { String($0.output.1) })
    }

    @Test("prints a key file that stands for the same settings")
    func roundTrip() throws {
        let first = try run(
            "check-config", "--config", "/dev/null", "--jobs", "3", "--notify-command", "/bin/sh -c 'echo; cat'",
            "--short-edge", "320")
        #expect((first.status, first.errors) == (0, ""))
        #expect(first.output.contains("# option\njobs = 3\n"))
        try scratch.write(Array(first.output.utf8), to: "settings")
        let second = try run("check-config", "--config", "settings")
        #expect(second.status == 0)
        let comment = #/# (default|file|option)/#
        #expect(second.output.replacing(comment, with: "#") == first.output.replacing(comment, with: "#"))
    }

    @Test("serve has an option for each setting, with its default, and no other", arguments: ["serve", "check-config"])
    func options(_ command: String) throws {
        let help = try run(command, "--help")
        #expect(help.status == 0)
        let defaults = try run("check-config", "--config", "/dev/null")
        let options = Set(help.output.matches(of: #/(?m)^  --([a-z-]+)=/#).map { String($0.output.1) })
        #expect(options.subtracting(["config"]) == keys(defaults.output))
        let whole = help.output.replacing(#/\n {20,}/#, with: "")
        for line in defaults.output.matches(of: #/(?m)^([a-z-]+) = (.+)$/#) {
            let option = whole.split(separator: "\n").first { $0.contains(" --\(line.output.1)=") }
            #expect(option?.hasSuffix("(\(line.output.2))") == true)
        }
    }

    @Test("help fits a terminal", arguments: [nil, "batch", "serve", "check-config", "status", "profiles", "payload"])
    func width(_ command: String?) throws {
        let help = try program.run([command, "--help"].compactMap { $0 }, in: scratch.url)
        #expect(help.output.split(separator: "\n").filter { $0.count > 80 } == [])
    }

    @Test("tells all that is wrong, and ends with 2", arguments: ["serve", "check-config"])
    func wrong(_ command: String) throws {
        try scratch.write(Array("[mediaprep]\njbos = 3\npoll-seconds = 0\n".utf8), to: "bad")
        let result = try run(command, "--config", "bad", "--root", "relative")
        #expect((result.status, result.output) == (2, ""))
        #expect(
            result.errors == """
                mediaprep \(command): bad:2: [mediaprep] jbos = "3": there is no such key here; did you mean jobs?
                mediaprep \(command): bad:3: [mediaprep] poll-seconds = "0": takes a whole number from 1 to 3600
                mediaprep \(command): --root "relative": takes an absolute path

                """)
    }

    @Test(
        "a command line that cannot be understood is told of",
        arguments: [
            (["--nonsense"], "Unknown option --nonsense"), (["--jobs"], "Missing argument for --jobs"),
            (["stray"], #"takes options only, not "stray""#),
            (["--config", "missing"], "missing: cannot be read: No such file or directory"),
        ])
    func usage(_ arguments: [String], told: String) throws {
        let result = try program.run(["check-config"] + arguments, in: scratch.url)
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("mediaprep check-config: \(told)\n"))
    }
}
