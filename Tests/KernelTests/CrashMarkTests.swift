import Glibc
import Kernel
import Testing

@Suite struct CrashMarkTests {
    @Test("marks are used again, by whoever comes next")
    func reuse() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            try directory.write("", to: "a")
            for _ in 0..<1000 {
                let mark = try CrashMark(
                    renaming: directory.path.appending("a"), to: directory.path.appending("b"))
                mark.hold()
            }
            #expect(try directory.names() == ["a"])
        }
    }

    @Test("a path with a NUL is refused")
    func nul() {
        #expect(throws: Errno.invalidArgument) { _ = try CrashMark(renaming: FilePath(bytes: [0]), to: "b") }
    }

    @Test("a signal that another process sent says nothing about what is in hand")
    func sentFromOutside() async throws {
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        let directory = try TemporaryDirectory()
        try directory.write("", to: "a")
        let path = String(decoding: directory.path.bytes, as: UTF8.self)
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            let mark = try CrashMark(renaming: FilePath(path + "/a"), to: FilePath(path + "/b"))
            mark.hold()
            var arguments: [UnsafeMutablePointer<CChar>?] = [
                strdup("/bin/sh"), strdup("-c"), strdup("kill -ABRT $PPID"), nil,
            ]
            var child: pid_t = 0
            posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ)
            while true { pause() }
            _ = consume mark
        }
        #expect(try directory.names() == ["a"])
    }
}
