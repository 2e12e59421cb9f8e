import Foundation
import Kernel
import Testing

@Suite struct StatusTests {
    let scratch: Scratch
    let program = Program()

    init() throws {
        scratch = try Scratch()
        for directory in ["inbox", "work", "outbox"] {
            try FileManager.default.createDirectory(
                at: scratch.url.appending(path: directory), withIntermediateDirectories: true)
        }
        try scratch.write([], to: "lock")
    }

    private func status(_ arguments: String...) throws -> Program.Result {
        try program.run(["status", "--root", scratch.url.path] + arguments, in: scratch.url)
    }

    private func object(_ result: Program.Result) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test("a service that does not run is told as that, with what waits")
    func notRunning() throws {
        try scratch.write([1], to: "inbox/a.jpg")
        try scratch.write([1], to: "inbox/b.jpg.part")
        let table = try status()
        #expect((table.status, table.errors) == (1, ""))
        #expect(table.output.hasPrefix("service "))
        #expect(table.output.contains("not running\n"))
        let json = try status("--json")
        #expect(json.status == 1)
        let inbox = try object(json)["inbox"] as? [String: Any]
        #expect((inbox?["waiting"] as? Int, inbox?["ignored"] as? Int) == (1, 1))
    }

    @Test("a service that holds its lock runs, and keeps it")
    func running() throws {
        let lock = try FileDescriptor.open(FilePath(scratch.url.path + "/lock"), flags: .readWrite)
        try lock.lock(exclusive: true, nonblocking: true)
        let result = try status("--json")
        #expect(result.status == 0)
        #expect(try object(result)["pid"] as? Int == Int(ProcessInfo.processInfo.processIdentifier))
    }

    @Test("a fault of a running service ends with 1")
    func fault() throws {
        let lock = try FileDescriptor.open(FilePath(scratch.url.path + "/lock"), flags: .readWrite)
        try lock.lock(exclusive: true, nonblocking: true)
        try FileManager.default.removeItem(at: scratch.url.appending(path: "inbox"))
        let result = try status()
        #expect(result.status == 1)
        #expect(result.output.contains("fault: the inbox \(scratch.url.path)/inbox cannot be read: No such file"))
    }

    @Test("the key file says where inbox and outbox are, and what is ignored")
    func places() throws {
        try scratch.write([1], to: "elsewhere/a.jpg")
        try scratch.write([1], to: "elsewhere/b.skip")
        try scratch.write([], to: "out/.notify/1")
        let keyFile = """
            [mediaprep]
            inbox = \(scratch.url.path)/elsewhere
            outbox = \(scratch.url.path)/out
            ignore-names = *.skip
            """
        try scratch.write(Array(keyFile.utf8), to: "conf")
        let result = try object(status("--json", "--config", "conf"))
        #expect(result["inbox"] as? [String: Int] != nil)
        #expect((result["inbox"] as? [String: Int])?["waiting"] == 1)
        #expect((result["inbox"] as? [String: Int])?["ignored"] == 1)
        #expect(result["notify_pending"] as? Int == 1)
    }

    @Test(
        "a command line that cannot be understood is told of",
        arguments: [
            (["--root", "relative"], #"--root "relative": takes an absolute path"#), (["x"], "takes options only"),
            (["--config", "/none"], "/none: cannot be read"), (["--jobs", "3"], "Unknown option --jobs"),
        ])
    func usage(_ arguments: [String], told: String) throws {
        let result = try program.run(["status"] + arguments, in: scratch.url)
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("mediaprep status: \(told)"))
    }
}
