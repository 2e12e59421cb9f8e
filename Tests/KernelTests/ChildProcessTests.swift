import Glibc
import Kernel
import Testing

@Suite struct ChildProcessTests {
    @Test(
        arguments: [
            ("exit 0", .exited(0), "exited with status 0"),
            ("exit 42", .exited(42), "exited with status 42"),
            ("kill -SEGV $$", .signalled(SIGSEGV), "was killed by signal 11 (SIGSEGV)"),
            ("kill -KILL $$", .signalled(SIGKILL), "was killed by signal 9 (SIGKILL)"),
            ("kill -PIPE $$", .signalled(SIGPIPE), "was killed by signal 13 (SIGPIPE)"),
        ] as [(String, Kernel.ExitStatus, String)])
    func tellsHowItEnded(_ script: String, expected: Kernel.ExitStatus, text: String) throws {
        var shell = try Shell(script)
        let status = shell.process.wait()
        #expect(status == expected)
        #expect(status.description == text)
        #expect(shell.process.wait() == expected)
        #expect(!Self.isOurChild(shell.process.pid))
    }

    @Test func descriptorBecomesReadableAtTheEnd() throws {
        var shell = try Shell("exit 3")
        let number = shell.process.processDescriptor.rawValue
        #expect(try Poll.readable([number], until: .now.advanced(by: .seconds(60))) == [true])
        #expect(shell.process.wait() == .exited(3))
    }

    @Test func killReachesTheWholeGroup() throws {
        // Both processes hold the socket: its end is only seen when both are dead.
        var shell = try Shell("sleep 1000 & echo started >&3; wait")
        #expect(try shell.line() == "started")
        #expect(getpgid(shell.process.pid) == shell.process.pid)
        shell.process.killGroup(signal: SIGKILL)
        #expect(shell.process.wait() == .signalled(SIGKILL))
        #expect(try shell.line() == nil)
    }

    @Test(arguments: ["exit 4", "trap 'exit 4' TERM; kill -TERM $$; wait"])
    func itsEndKillsTheRestOfTheGroup(_ end: String) throws {
        // Its end of the socket is held by what it started, too.
        var shell = try Shell("sleep 1000 & (sleep 1000 & sleep 1000) & echo started >&3; \(end)")
        #expect(try shell.line() == "started")
        #expect(shell.process.wait() == .exited(4))
        #expect(try shell.line() == nil)
    }

    @Test func theEndOfItsLifeKillsAndReaps() throws {
        let pid: Int32
        do {
            let shell = try Shell("echo started >&3; sleep 1000")
            #expect(try shell.line() == "started")
            pid = shell.process.pid
        }
        #expect(!Self.isOurChild(pid))
    }

    @Test func theChildGetsWhatItIsGivenAndNothingElse() throws {
        // A descriptor that is not close-on-exec, as one that this process inherited would be.
        let stray = dup(0)
        defer { close(stray) }
        let pair = try MessageSocket.pair()
        let sleep = try ChildProcess.spawn(
            executable: "/bin/sleep", arguments: ["500", "500"], environment: ["NAME=a value", "OTHER="],
            inheriting: pair.far)
        let process = try FileDescriptor.open(FilePath("/proc/\(sleep.pid)"), flags: .directory)
        // posix_spawn returns a moment before the new program's arguments are in place.
        while try Self.read("cmdline", in: process).isEmpty { sched_yield() }
        #expect(try Self.read("cmdline", in: process) == "/bin/sleep\0500\0500\0")
        #expect(try Self.read("environ", in: process) == "NAME=a value\0OTHER=\0")
        let descriptors = try FileDescriptor.open("fd", flags: .directory, relativeTo: process)
        #expect(try DirectoryListing(of: descriptors).entries.map(\.name) == ["0", "1", "2", "3"])
        // Followed, the links lead to the open files themselves.
        let null = try FileDescriptor.open("/dev/null", flags: .readOnly).status()
        for name in ["0", "1"] as [FilePath] {
            #expect(try FileDescriptor.open(name, flags: .readOnly, relativeTo: descriptors).status() == null)
        }
    }

    @Test func theChildsSignalsAreAsNew() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var blocked = sigset_t()
            sigemptyset(&blocked)
            sigaddset(&blocked, SIGTERM)
            pthread_sigmask(SIG_BLOCK, &blocked, nil)
            let pair = try MessageSocket.pair()
            let sleep = try ChildProcess.spawn(
                executable: "/bin/sleep", arguments: ["1000"], environment: [], inheriting: pair.far)
            let process = try FileDescriptor.open(FilePath("/proc/\(sleep.pid)"), flags: .directory)
            let masks = try ChildProcessTests.read("status", in: process).split(separator: "\n")
                .filter { $0.hasPrefix("SigBlk") || $0.hasPrefix("SigIgn") }
                .map { UInt64($0.suffix(16), radix: 16) }
            // Signals 32 and 33 are the C library's own.
            #expect(masks.map { ($0 ?? .max) & 0x7FFF_FFFF } == [0, 0])
        }
    }

    @Test(
        arguments: [
            ("/nowhere/at/all", .noSuchFileOrDirectory),
            ("/etc/passwd", .permissionDenied),
            ("/tmp", .permissionDenied),
        ] as [(FilePath, Errno)])
    func whatCannotRunIsAnError(_ executable: FilePath, error: Errno) throws {
        let pair = try MessageSocket.pair()
        #expect(throws: error) {
            _ = try ChildProcess.spawn(
                executable: executable, arguments: [], environment: [], inheriting: pair.far)
        }
    }

    @Test func anIgnoredChildSignalDoesNotHang() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            var shell = try Shell("sleep 1000")
            shell.process.killGroup(signal: SIGKILL)
            #expect(shell.process.wait() == .unknown)
        }
    }

    @Test func neitherDescriptorsNorZombiesStay() async {
        await #expect(processExitsWith: .success) {
            let left = try descriptorsLeft {
                for script in ["exit 0", "kill -SEGV $$", "sleep 1000"] {
                    _ = try Shell(script)
                    var shell = try Shell(script)
                    shell.process.killGroup(signal: SIGKILL)
                    _ = shell.process.wait()
                }
                let pair = try MessageSocket.pair()
                _ = try? ChildProcess.spawn(
                    executable: "/nowhere", arguments: [], environment: [], inheriting: pair.far)
            }
            #expect(left == 0)
            let child = waitpid(-1, nil, WNOHANG)
            #expect(child == -1)
        }
    }

    private static func read(_ name: FilePath, in directory: borrowing FileDescriptor) throws -> String {
        let file = try FileDescriptor.open(name, flags: .readOnly, relativeTo: directory)
        return String(decoding: try file.readAll(maximumBytes: 1 << 16), as: UTF8.self)
    }

    private static func isOurChild(_ pid: Int32) -> Bool {
        waitpid(pid, nil, WNOHANG) != -1
    }
}

/// A shell that talks through its descriptor 3.
private struct Shell: ~Copyable {
    var process: ChildProcess
    let socket: MessageSocket

    init(_ script: String) throws {
        let pair = try MessageSocket.pair()
        process = try ChildProcess.spawn(
            executable: "/bin/bash", arguments: ["-c", script], environment: [], inheriting: pair.far)
        socket = pair.near
    }

    /// What it wrote with one call; nil when nobody holds its end of the socket any more.
    func line() throws -> String? {
        guard let message = try socket.receive(maximumBytes: 4096, maximumDescriptors: 0) else { return nil }
        return String(decoding: message.bytes.split(separator: UInt8(ascii: "\n")).joined(), as: UTF8.self)
    }
}
