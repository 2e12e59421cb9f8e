import Foundation
import Kernel
import Testing

/// The operator's program: told of each outcome, whatever becomes of it or of the service.
@Suite struct ServeNotifyTests {
    let scratch: Scratch
    let root: URL

    init() throws {
        scratch = try Scratch()
        root = try scratch.serviceRoot()
    }

    func put(_ bytes: [UInt8], _ name: String) throws {
        try scratch.put(bytes, name)
    }

    /// A program for the service to run, with `$dir` for the test's own directory.
    func script(_ text: String) throws -> String {
        let file = scratch.url.appending(path: "hook")
        try Data("#!/bin/sh\ndir='\(scratch.url.path)'\n\(text)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file.path
    }

    @Test("a notify command that never ends is killed, with what it started, and holds nothing up")
    func endlessNotify() throws {
        // Whoever still has the FIFO open for writing lives.
        let fifo = scratch.url.appending(path: "alive").path
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = try FileDescriptor.open(FilePath(fifo), flags: [.readOnly, .nonBlocking])
        let hook = try script("exec 3> \"$dir/alive\"\nsleep 1000 &\necho started >&3\nsleep 1000")
        let service = try RunningServe(
            root,
            options: [
                "--notify-command", hook, "--notify-timeout-seconds", "1", "--notify-jobs", "1",
                "--notify-attempts", "1",
            ])
        service.wait(for: "ready")
        try put(Album.sticker, "sticker.png")
        service.wait(for: "published")
        #expect(try Poll.readable([reader.rawValue], until: .now.advanced(by: .seconds(60))) == [true])
        // It runs now, and is the only one that may: outcomes come all the same.
        for number in 1...3 {
            try put(Album.broken + [UInt8(number)], "\(number).jpg")
            service.wait(for: "rejected")
        }
        func givenUp() -> [String?] {
            service.events.filter { $0["event"] as? String == "notify-given-up" }.map { $0["message"] as? String }
        }
        service.wait(for: "notify-given-up", count: 4 - givenUp().count)
        #expect(givenUp() == [String?](repeating: "not done after 1 s", count: 4))
        let isLeft = Self.isLeft(by: reader)
        #expect(isLeft)
        service.stop()
        #expect(scratch.files(below: "root/outbox/.notify") == [])
    }

    @Test("what a notify command leaves behind ends with it")
    func leftBehind() throws {
        let fifo = scratch.url.appending(path: "alive").path
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = try FileDescriptor.open(FilePath(fifo), flags: [.readOnly, .nonBlocking])
        let hook = try script("exec 3> \"$dir/alive\"\necho started >&3\n(sleep 1000 & sleep 1000) &")
        let service = try RunningServe(root, options: ["--notify-command", hook])
        service.wait(for: "ready")
        try put(Album.sticker, "sticker.png")
        service.wait(for: "notified")
        let isLeft = Self.isLeft(by: reader)
        #expect(isLeft)
        service.stop()
    }

    @Test("an outcome that cannot be put in place is told to nobody, and its original goes back")
    func neverPublished() throws {
        let hook = try script("cat >> \"$dir/told\"")
        // Nothing replaces a directory.
        try scratch.write([], to: "root/outbox/sticker.png.json/inner")
        let service = try RunningServe(root, options: ["--notify-command", hook])
        service.wait(for: "ready")
        try put(Album.sticker, "sticker.png")
        service.wait(for: "stalled")
        service.kill(SIGTERM)
        service.wait(for: "stopping")
        service.kill(SIGTERM)
        #expect(service.waitForEnd() == 0)
        #expect(scratch.files(below: "root/inbox") == ["sticker.png"])
        #expect(scratch.files(below: "root/outbox/.notify") == [])
        #expect(scratch.bytes("told") == nil)
    }

    /// Reads on until nobody has the other end any more.
    static func isLeft(by reader: borrowing FileDescriptor) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 256)
        while (try? Poll.readable([reader.rawValue], until: .now.advanced(by: .seconds(60)))) == [true] {
            if read(reader.rawValue, &buffer, buffer.count) == 0 { return true }
        }
        return false
    }

    @Test("what a killed service had still to tell is told after the next start, in order")
    func leftNotices() throws {
        let hook = try script("[ -e \"$dir/works\" ] || exit 1\ncat >> \"$dir/told\"")
        let options = ["--notify-command", hook, "--notify-jobs", "1", "--jobs", "1"]
        let first = try RunningServe(root, options: options)
        first.wait(for: "ready")
        for name in ["1.png", "2.png", "3.png"] {
            try put(Album.sticker, name)
            first.wait(for: "published")
        }
        first.kill(SIGKILL)
        #expect(first.waitForEnd() == -SIGKILL)
        #expect(scratch.files(below: "root/outbox/.notify").count == 3)

        try scratch.write([], to: "works")
        let second = try RunningServe(root, options: options)
        #expect(second.wait(for: "notified", count: 3).count == 3)
        second.stop()
        let manifests = ["1.png", "2.png", "3.png"].flatMap { scratch.bytes("root/outbox/\($0).json") ?? [] }
        #expect(scratch.bytes("told") == manifests)
        #expect(scratch.files(below: "root/outbox/.notify") == [])
    }

    @Test("a notify command that keeps failing is given up after so many attempts, and its notice is gone")
    func givenUp() throws {
        let hook = try script("echo run >> \"$dir/runs\"\nexit 3")
        let service = try RunningServe(root, options: ["--notify-command", hook, "--notify-attempts", "2"])
        service.wait(for: "ready")
        try put(Album.sticker, "sticker.png")
        let failed = try #require(service.wait(for: "notify-failed").first)
        #expect(failed["attempt"] as? Int == 1)
        #expect(failed["message"] as? String == "it exited with status 3")
        let given = try #require(service.wait(for: "notify-given-up").first)
        #expect(given["attempt"] as? Int == 2)
        #expect(given["claim"] as? String == failed["claim"] as? String)
        service.stop()
        #expect(scratch.bytes("runs") == Array("run\nrun\n".utf8))
        #expect(scratch.files(below: "root/outbox/.notify") == [])
        let notify = scratch.manifest("root/state.json")?["notify"] as? [String: Any]
        #expect(notify?["failed"] as? Int == 1)
        #expect(notify?["pending"] as? Int == 0)
    }

    @Test("a service that is stopped while the notify command runs ends it, and tells the outcome after the next start")
    func stoppedNotify() throws {
        let hook = try script("[ -e \"$dir/works\" ] || { : > \"$dir/runs\"; sleep 1000; }\ncat > \"$dir/told\"")
        let options = ["--notify-command", hook, "--notify-timeout-seconds", "600", "--notify-attempts", "1"]
        let first = try RunningServe(root, options: options)
        first.wait(for: "ready")
        try put(Album.sticker, "sticker.png")
        first.wait(for: "published")
        while scratch.bytes("runs") == nil { sched_yield() }
        first.kill(SIGTERM)
        first.wait(for: "stopping")
        first.kill(SIGTERM)
        #expect(first.waitForEnd() == 0)
        #expect(!first.events.contains { $0["event"] as? String == "notify-given-up" })
        #expect(scratch.files(below: "root/outbox/.notify").count == 1)

        try scratch.write([], to: "works")
        let second = try RunningServe(root, options: options)
        second.wait(for: "notified")
        second.stop()
        #expect(scratch.bytes("told") == scratch.bytes("root/outbox/sticker.png.json"))
        #expect(scratch.files(below: "root/outbox/.notify") == [])
    }

    @Test("a notify command that cannot be run costs no outcome")
    func noNotifyCommand() throws {
        let service = try RunningServe(
            root, options: ["--notify-command", "/nowhere/at/all", "--notify-attempts", "1"])
        service.wait(for: "ready")
        try put(Album.sticker, "sticker.png")
        let told = service.wait(for: "published", "notify-given-up", count: 2)
        let message = "/nowhere/at/all cannot be run: No such file or directory; check notify-command"
        #expect(told.contains { $0["message"] as? String == message })
        service.stop()
    }
}
