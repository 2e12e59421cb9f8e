import Foundation
import Glibc
import Testing

/// Systems that lack a part of the sandbox, played by a filter that denies the calls it is built with.
@Suite struct WeakSandboxTests {
    struct Lack: Sendable, CustomTestStringConvertible {
        let layer: String
        /// What `denying` takes.
        let calls: [String]
        /// What the message says beside the layer's name.
        let says: String

        var testDescription: String { calls.joined(separator: " ") }
    }

    static let lacks = [
        Lack(layer: "landlock", calls: ["landlock_create_ruleset"], says: "Landlock: Function not implemented"),
        Lack(layer: "landlock", calls: ["landlock_restrict_self!"], says: "Landlock: Operation not permitted"),
        // PR_SET_SECCOMP is 22, PR_SET_DUMPABLE 4, PR_SET_NO_NEW_PRIVS 38.
        Lack(layer: "seccomp", calls: ["seccomp", "prctl:22"], says: "seccomp is missing"),
        Lack(layer: "process", calls: ["capset!"], says: "capset: Operation not permitted"),
        Lack(layer: "process", calls: ["prctl:4!"], says: "PR_SET_DUMPABLE: Operation not permitted"),
        Lack(layer: "descriptors", calls: ["close_range"], says: "close_range: Function not implemented"),
        Lack(layer: "limits", calls: ["prlimit64", "setrlimit"], says: "RLIMIT_CORE: Function not implemented"),
    ]

    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for number in 0..<4 { try scratch.write(Album.photo + [UInt8(number)], to: "in/\(number).jpg") }
    }

    /// Runs a batch of two jobs on a system without these calls, and counts the programs that it starts for decoding.
    private func batch(without calls: [String], _ options: [String] = []) throws -> (Program.Result, starts: Int) {
        let copy = scratch.url.appending(path: "bin/mediaprep")
        if !FileManager.default.fileExists(atPath: copy.path) {
            // Beside it, as its worker, something that leaves a line for each start.
            let worker = Program.directory.appending(path: "mediaprep-worker").path
            try scratch.write(
                Array("#!/bin/sh\necho >>'\(scratch.url.path)/starts'\nexec '\(worker)' \"$@\"\n".utf8),
                to: "bin/mediaprep-worker")
            #expect(chmod(scratch.url.appending(path: "bin/mediaprep-worker").path, 0o755) == 0)
            try FileManager.default.copyItem(at: Program().executable, to: copy)
        }
        let denying = Program(executable: Program.directory.appending(path: "denying"))
        let result = try denying.run(
            calls + ["--", copy.path, "batch", "in", "--output", "out", "--jobs", "2"] + options, in: scratch.url)
        return (result, scratch.bytes("starts")?.count ?? 0)
    }

    @Test("a judgement warns of what is missing as a batch does, beside its output")
    func judged() throws {
        let denying = Program(executable: Program.directory.appending(path: "denying"))
        let program = Program().executable.path
        let result = try denying.run(
            ["landlock_create_ruleset", "--", program, "validate", "--json", "--allow-weak-sandbox", "in"],
            in: scratch.url)
        let warnings = result.errors.split(separator: "\n")
        #expect(warnings.count == 2, "\(result.errors)")
        #expect(warnings.first?.contains("--allow-weak-sandbox") == true)
        #expect(warnings.last?.contains("landlock is missing") == true)
        #expect(result.output.split(separator: "\n").count == 4)
    }

    @Test("without a layer nothing is decoded", arguments: lacks)
    func failsClosed(_ lack: Lack) throws {
        let (result, starts) = try batch(without: lack.calls)
        #expect(result.status == 3)
        #expect(result.errors.contains("\(lack.layer) is missing"), "\(result.errors)")
        #expect(result.errors.contains(lack.says), "\(result.errors)")
        #expect(result.errors.contains("--allow-weak-sandbox"))
        #expect(scratch.files(below: "out").isEmpty)
        // A second try could only end as the first: one for each job.
        #expect((1...2).contains(starts))
    }

    @Test("an operator who allows it is warned, and told in the end", arguments: lacks)
    func isAllowed(_ lack: Lack) throws {
        let (result, _) = try batch(without: lack.calls, ["--allow-weak-sandbox"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(scratch.files(below: "out").count == 8)
        let warning = "warning: pictures are decoded in a weak sandbox: \(lack.layer) is missing"
        #expect(result.errors.contains(warning), "\(result.errors)")
        #expect(result.errors.components(separatedBy: warning).count == 2)
        let row = (result.output + result.errors).split(separator: "\n").first { $0.contains("not in sandbox") }
        #expect(row?.hasSuffix(lack.layer) == true, "\(result.output)")
    }

    @Test("quiet is not that quiet")
    func quiet() throws {
        let (result, _) = try batch(without: ["landlock_create_ruleset"], ["--allow-weak-sandbox", "--quiet"])
        #expect(result.status == 0)
        #expect(result.errors.contains("warning: pictures are decoded in a weak sandbox: landlock is missing"))
    }

    @Test("the permission itself is worth a warning")
    func withoutNeed() throws {
        let (result, _) = try batch(without: [], ["--allow-weak-sandbox"])
        #expect(result.status == 0)
        #expect(result.errors.contains("warning: --allow-weak-sandbox"))
        #expect(!result.errors.contains("weak sandbox:"))
        #expect(!(result.output + result.errors).contains("not in sandbox"))
    }
}
