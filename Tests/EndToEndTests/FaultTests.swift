import Foundation
import Glibc
import Testing

/// What the file system, the machine and the decoder can do to a batch.
@Suite struct FaultTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    func path(_ name: String) -> String { scratch.url.appending(path: name).path }

    func batch(_ arguments: [String], whileRunning: (Int32) throws -> Void = { _ in }) throws -> Program.Result {
        try Program().run(["batch"] + arguments, in: scratch.url, whileRunning: whileRunning)
    }

    @Test("what is no regular file is refused without being opened")
    func oddKinds() throws {
        try scratch.write(Album.photo, to: "in/real.jpg")
        #expect(symlink("real.jpg", path("in/link.jpg")) == 0)
        #expect(symlink("/nowhere", path("in/dangling.jpg")) == 0)
        #expect(symlink(".", path("in/loop")) == 0)
        // Opening a FIFO for reading would wait for a writer for ever.
        #expect(mkfifo(path("in/fifo.jpg"), 0o600) == 0)
        if getuid() == 0 { #expect(mknod(path("in/zero.jpg"), S_IFCHR | 0o600, 0x105) == 0) }
        let result = try batch(["in", path("in/link.jpg"), "--output", "out", "--json"])
        #expect(result.status == 1)
        for manifest in result.manifests where manifest["name"] as? String != "real.jpg" {
            #expect((manifest["rejection"] as? [String: Any])?["code"] as? String == "not-a-regular-file")
        }
        #expect(result.manifests.count == (getuid() == 0 ? 7 : 6))
    }

    @Test("names may be any bytes, as long as a name can be")
    func names() throws {
        try scratch.write(Album.photo, to: "in/plain.jpg")
        let longest = String(repeating: "x", count: 251) + ".jpg"
        let names: [[UInt8]] = [
            [0xFF, 0xFE, 0x25] + Array(".jpg".utf8), Array("new\nline.jpg".utf8), Array("\u{1B}[31mred.jpg".utf8),
            Array("-n".utf8), Array("..jpg".utf8), Array("é.jpg".utf8), Array("e\u{301}.jpg".utf8),
            Array(longest.utf8),
        ]
        for name in names {
            let target = Array((path("in") + "/").utf8) + name + [0]
            let status = target.withUnsafeBytes { bytes in
                link(path("in/plain.jpg"), bytes.bindMemory(to: CChar.self).baseAddress!)
            }
            #expect(status == 0)
        }
        let result = try batch(["in", "--output", "out", "--json", "--quiet"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.manifests.count == names.count + 1)
        #expect(result.manifests.contains { $0["name"] as? String == "%FF%FE%25.jpg" })
        let again = try batch(["in", "--output", "out"])
        #expect(again.output.contains("unchanged"))
        #expect(!again.errors.contains("\u{1B}[31m"))
    }

    @Test("an output inside the source is not a source", arguments: ["in/out", "in/deep/out"])
    func outputInside(output: String) throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write(Album.other, to: "in/deep/b.jpg")
        #expect(try batch(["in", "--output", output]).status == 0)
        let before = scratch.files(below: output)
        #expect(before == ["a.jpg", "a.jpg.json", "deep/b.jpg", "deep/b.jpg.json"])
        #expect(try batch(["in", "--output", output]).status == 0)
        #expect(scratch.files(below: output) == before)
    }

    @Test("a source inside the output is not replaced by its result")
    func sourceInside() throws {
        try scratch.write(Album.photo, to: "out/in/a.jpg")
        try scratch.write(Album.other, to: "out/in/in/a.jpg")
        let result = try batch(["out/in", "--output", "out"])
        #expect(result.status == 1)
        #expect(result.errors.contains("output-exists"))
        #expect(scratch.bytes("out/in/a.jpg") == Album.photo)
        #expect(scratch.bytes("out/in/in/a.jpg") == Album.other)
        #expect(scratch.bytes("out/a.jpg") != nil)
    }

    @Test(
        "a full disk is exit status 3, with no part of a file left",
        .enabled(if: getuid() == 0, "mounting needs root"))
    func diskFull() throws {
        for number in 0..<8 { try scratch.write(Album.photo + [UInt8(number)], to: "in/\(number).jpg") }
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "out"), withIntermediateDirectories: true)
        #expect(mount("tmpfs", path("out"), "tmpfs", 0, "size=128k") == 0)
        defer { umount2(path("out"), CInt(MNT_DETACH)) }
        let result = try batch(["in", "--output", "out"])
        #expect(result.status == 3)
        #expect(result.errors.contains("No space left on device"))
        let files = scratch.files(below: "out")
        #expect(!files.contains { $0.contains(".tmp") })
        for manifest in files where manifest.hasSuffix(".json") {
            #expect(scratch.manifest("out/" + manifest) != nil)
        }
        #expect(mount("tmpfs", path("out"), "tmpfs", UInt(MS_REMOUNT), "size=8m") == 0)
        #expect(try batch(["in", "--output", "out"]).status == 0)
        #expect(scratch.files(below: "out").count == 16)
    }

    @Test("more sources than a process may hold files open")
    func manySources() throws {
        for number in 0..<300 { try scratch.write(Album.broken, to: "in/\(number)/a.jpg") }
        let list = Data((0..<300).map { "in/\($0)/a.jpg\n" }.joined().utf8)
        let listed = try Program(executable: URL(filePath: "/bin/sh")).run(
            ["-c", "ulimit -n 64; exec \(Program().executable.path) batch --files-from - --output out"],
            in: scratch.url, input: list)
        #expect(listed.status == 1)
        #expect(scratch.files(below: "out").count == 300)
    }

    @Test("an output that is a file is exit status 3")
    func outputIsFile() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try scratch.write([], to: "out")
        let result = try batch(["in", "--output", "out"])
        #expect(result.status == 3)
        #expect(result.errors.contains("cannot write out"))
    }

    @Test("without a worker beside it the program says so and ends with 3")
    func noWorker() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try FileManager.default.copyItem(
            at: Program().executable, to: scratch.url.appending(path: "mediaprep"))
        let lonely = Program(executable: scratch.url.appending(path: "mediaprep"))
        let result = try lonely.run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(result.status == 3)
        #expect(result.errors.contains("mediaprep-worker"))
        #expect(scratch.files(below: "out").isEmpty)
    }

    @Test("two batches do not write to one output")
    func outputInUse() throws {
        try scratch.write(Album.photo, to: "in/a.jpg")
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "out"), withIntermediateDirectories: true)
        let descriptor = open(path("out"), O_RDONLY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let result = try batch(["in", "--output", "out"])
        #expect(result.status == 3)
        #expect(result.errors.contains("another batch is writing to out"))
    }
}
