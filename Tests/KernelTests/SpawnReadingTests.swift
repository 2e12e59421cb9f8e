import Glibc
import Kernel
import Testing

/// Programs that read a file on their standard input.
@Suite struct SpawnReadingTests {
    @Test("standard input is the file, the whole of it")
    func input() throws {
        let directory = try TemporaryDirectory()
        let text = String(repeating: "a line of the manifest\n", count: 10_000)
        try directory.write(text, to: "manifest")
        let manifest = try FileDescriptor.open("manifest", flags: .readOnly, relativeTo: directory.descriptor)
        var process = try ChildProcess.spawn(
            executable: "/bin/sh", arguments: ["-c", "cat > \"$1\"", "sh", directory.path.appending("copy").display],
            environment: ["PATH=/usr/bin:/bin"], reading: manifest)
        #expect(process.wait() == .exited(0))
        #expect(try directory.read("copy") == text)
    }

    @Test("what has an end is read from where it stands, once for each run")
    func position() throws {
        let directory = try TemporaryDirectory()
        try directory.write("manifest", to: "manifest")
        for _ in 0..<2 {
            let manifest = try FileDescriptor.open("manifest", flags: .readOnly, relativeTo: directory.descriptor)
            var process = try ChildProcess.spawn(
                executable: "/bin/sh", arguments: ["-c", #"read -r line; [ "$line" = manifest ]"#], environment: [],
                reading: manifest)
            #expect(process.wait() == .exited(0))
        }
    }

    @Test("the child has descriptors 0, 1 and 2, its own arguments and environment, and nothing else")
    func nothingElse() throws {
        // A descriptor that is not close-on-exec, as one that this process inherited would be.
        let stray = dup(0)
        defer { close(stray) }
        let directory = try TemporaryDirectory()
        try directory.write("manifest", to: "manifest")
        let manifest = try FileDescriptor.open("manifest", flags: .readOnly, relativeTo: directory.descriptor)
        let sleep = try ChildProcess.spawn(
            executable: "/bin/sleep", arguments: ["500", "500"], environment: ["NAME=a value"], reading: manifest)
        let process = try FileDescriptor.open(FilePath("/proc/\(sleep.pid)"), flags: .directory)
        // posix_spawn returns a moment before the new program's arguments are in place.
        while try Self.read("cmdline", in: process).isEmpty { sched_yield() }
        #expect(try Self.read("cmdline", in: process) == "/bin/sleep\0500\0500\0")
        #expect(try Self.read("environ", in: process) == "NAME=a value\0")
        let descriptors = try FileDescriptor.open("fd", flags: .directory, relativeTo: process)
        #expect(try DirectoryListing(of: descriptors).entries.map(\.name) == ["0", "1", "2"])
        let input = try FileDescriptor.open("0", flags: .readOnly, relativeTo: descriptors).status()
        #expect(try input == manifest.status())
        let null = try FileDescriptor.open("/dev/null", flags: .readOnly).status()
        #expect(try FileDescriptor.open("1", flags: .readOnly, relativeTo: descriptors).status() == null)
    }

    @Test(
        "a file that is number 0, 1 or 2 here is standard input there, and nothing else",
        arguments: [0, 1, 2] as [Int32])
    func lowNumbers(number: Int32) async {
        await #expect(processExitsWith: .success) { [number = number as Int32] in
            let directory = try TemporaryDirectory()
            try directory.write("manifest\n", to: "manifest")
            let file = try FileDescriptor.open("manifest", flags: .readOnly, relativeTo: directory.descriptor)
            let low = FileDescriptor(adopting: dup2(file.rawValue, number))
            // Number 3, whatever it is, is to be one that would be inherited.
            if fcntl(3, F_SETFD, 0) == -1 { _ = fcntl(file.rawValue, F_DUPFD, 3) }
            var process = try ChildProcess.spawn(
                executable: "/bin/sh",
                arguments: ["-c", #"read -r line; [ "$line" = manifest ] && [ ! -e /proc/$$/fd/3 ]"#], environment: [],
                reading: low)
            let status = process.wait()
            exit(status == .exited(0) ? 0 : 1)
        }
    }

    @Test("its end kills the whole group, also of one that has put something into the background")
    func group() throws {
        let directory = try TemporaryDirectory()
        try directory.makeFIFO("held")
        let held = directory.path.appending("held")
        let reader = try FileDescriptor.open(held, flags: [.readOnly, .nonBlocking])
        do {
            let null = try FileDescriptor.open("/dev/null", flags: .readOnly)
            let script = "exec 5> \"$1\"; sleep 1000 & echo started >&5; wait"
            let process = try ChildProcess.spawn(
                executable: "/bin/sh", arguments: ["-c", script, "sh", held.display],
                environment: ["PATH=/usr/bin:/bin"], reading: null)
            #expect(
                try Poll.readable([reader.rawValue], until: .now.advanced(by: .seconds(60))) == [true])
            #expect(getpgid(process.pid) == process.pid)
            var text = [UInt8](repeating: 0, count: 100)
            #expect(Glibc.read(reader.rawValue, &text, text.count) == 8)
        }
        // Readable again once nobody holds the other end any more.
        #expect(try Poll.readable([reader.rawValue], until: .now.advanced(by: .seconds(60))) == [true])
        var byte: UInt8 = 0
        #expect(Glibc.read(reader.rawValue, &byte, 1) == 0)
    }

    @Test(
        "what cannot run is an error",
        arguments: [
            ("/nowhere/at/all", .noSuchFileOrDirectory), ("/etc/passwd", .permissionDenied),
        ] as [(FilePath, Errno)])
    func failure(_ executable: FilePath, error: Errno) throws {
        let null = try FileDescriptor.open("/dev/null", flags: .readOnly)
        #expect(throws: error) {
            _ = try ChildProcess.spawn(executable: executable, arguments: [], environment: [], reading: null)
        }
    }

    private static func read(_ name: FilePath, in directory: borrowing FileDescriptor) throws -> String {
        let file = try FileDescriptor.open(name, flags: .readOnly, relativeTo: directory)
        return String(decoding: try file.readAll(maximumBytes: 1 << 16), as: UTF8.self)
    }
}
