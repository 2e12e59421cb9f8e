import Glibc
import JobProtocol
import Kernel
import MediaProbe
import Synchronization
import Testing
import WorkerPool

/// The real worker, as far as the picture does not matter.
@Suite struct WorkerProgramTests {
    @Test(
        arguments: [
            ("no arguments", [], .exited(64)),
            ("one argument", ["1000000000"], .exited(64)),
            ("words", ["much", "more", "me", "strict"], .exited(64)),
            ("another manner", ["1000000000", "1000000", "1", "lenient"], .exited(64)),
            ("a parent that is not there", ["1000000000", "1000000", "1", "strict"], .exited(65)),
        ] as [(String, [String], Kernel.ExitStatus)])
    func refusesToStart(_ name: String, arguments: [String], status: Kernel.ExitStatus) throws {
        let pair = try MessageSocket.pair()
        var process = try ChildProcess.spawn(
            executable: Installation.built("mediaprep-worker"), arguments: arguments, environment: [],
            inheriting: pair.far)
        #expect(process.wait() == status, "\(name)")
    }

    @Test func endsWithItsSocket() throws {
        var worker = try BareWorker()
        worker.hangUp()
        #expect(worker.wait() == .exited(0))
    }

    @Test func templateEndsWithItsSocket() throws {
        let pair = try MessageSocket.pair()
        var near: MessageSocket? = pair.near
        var process = try ChildProcess.spawn(
            executable: Installation.built("mediaprep-worker"), arguments: BareWorker.arguments, environment: [],
            inheriting: pair.far)
        let greeting = try near?.receive(maximumBytes: 1000, maximumDescriptors: 0)?.bytes
        #expect(try greeting == JobCoding.encode(WorkerGreeting()))
        near = nil
        #expect(process.wait() == .exited(0))
    }

    @Test(arguments: ["not JSON", "{}", #"{"id":1}"#])
    func endsOnARequestThatItCannotRead(_ text: String) throws {
        var worker = try BareWorker()
        try worker.send(Array(text.utf8), descriptors: [])
        #expect(worker.wait() == .exited(65))
    }

    @Test func endsOnARequestWithoutItsDescriptors() throws {
        var worker = try BareWorker()
        try worker.send(JobCoding.encode(request("")), descriptors: [0])
        #expect(worker.wait() == .exited(65))
    }

    @Test func refusesASourceThatCouldChange() throws {
        var worker = try BareWorker()
        let unsealed = try MemoryFile.create(name: "source")
        let number = unsealed.descriptor.rawValue
        try worker.send(JobCoding.encode(request("")), descriptors: [number, number])
        #expect(worker.wait() == .exited(65))
    }

    @Test func answersWhateverThePictureIs() throws {
        let lane = WorkerLane(WorkerConfiguration(executable: try Installation.built("mediaprep-worker")))
        for id in 1...3 as ClosedRange<UInt64> {
            let answer = try lane.run(request("", id: id, kind: .plan), source: sealed("no picture")).get()
            #expect(answer.reply.id == id)
            // A decoder that gave up is not asked again.
            #expect(lane.workerPID == nil)
        }
        #expect(lane.missingLayers.isEmpty)
    }

    @Test func confinesItself() throws {
        var configuration = WorkerConfiguration(executable: try Installation.built("mediaprep-worker"))
        configuration.addressSpaceBytes = 700 << 20
        configuration.resultBytes = 123_456
        let lane = WorkerLane(configuration)
        try lane.start()
        let process = "/proc/\(try #require(lane.workerPID))"
        let limits = try lines(of: FilePath("\(process)/limits"))
        let space = try #require(limits.first { $0.starts(with: ["Max", "address", "space"]) })
        let status = try lines(of: FilePath("\(process)/status"))
        let idle = try #require(status.first { $0.first == "VmSize:" })
        let limit = try #require(Int(space[3]))
        #expect(space[4] == space[3])
        // What came after the limit was set is the greeting.
        let share = try limit - #require(Int(idle[1])) << 10
        #expect(abs(share - 700 << 20) < 4 << 20)
        #expect(limits.contains(["Max", "core", "file", "size", "0", "0", "bytes"]))
        #expect(limits.contains(["Max", "file", "size", "123456", "123456", "bytes"]))
        #expect(limits.contains(["Max", "open", "files", "16", "16", "files"]))
        for line in [["Seccomp:", "2"], ["NoNewPrivs:", "1"], ["CapEff:", "0000000000000000"]] as [[Substring]] {
            #expect(status.contains(line))
        }
        let pid = try #require(lane.workerPID)
        #expect(getpgid(pid) == pid)
    }

    private func lines(of path: FilePath) throws -> [[Substring]] {
        let bytes = try FileDescriptor.open(path, flags: .readOnly).readAll(maximumBytes: 1 << 16)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            $0.split(whereSeparator: { $0 == " " || $0 == "\t" })
        }
    }

    @Test func diesWithTheThreadThatStartedIt() throws {
        let configuration = WorkerConfiguration(executable: try Installation.built("mediaprep-worker"))
        // The lane outlives its thread here, which is just what a lane must not do.
        let kept = Mutex<(pid: Int32, lane: UInt)?>(nil)
        let thread = try SystemThread.start {
            let lane = WorkerLane(configuration)
            guard (try? lane.start()) != nil, let pid = lane.workerPID else { return }
            kept.withLock { $0 = (pid, UInt(bitPattern: Unmanaged.passRetained(lane).toOpaque())) }
        }
        thread.join()
        let (pid, address) = try #require(kept.withLock { $0 })
        // It is the child of a process that dies as well, and whoever inherits it reaps it.
        waitForDeath(of: pid)
        let lane = try #require(UnsafeRawPointer(bitPattern: address))
        Unmanaged<WorkerLane>.fromOpaque(lane).release()
    }
}

/// A worker that has greeted, without the pool.
private struct BareWorker: ~Copyable {
    static let arguments = ["1000000000", "1000000", "\(getpid())", "strict"]

    private var process: ForkedProcess
    private var socket: MessageSocket?

    init() throws {
        let server = try ForkServer(
            executable: Installation.built("mediaprep-worker"), arguments: Self.arguments, environment: [])
        _ = try server.socket.receive(maximumBytes: 1000, maximumDescriptors: 0)
        let pair = try MessageSocket.pair()
        let forked = try server.fork(passing: pair.far, until: .now.advanced(by: .seconds(60)))
        let near = pair.near
        let greeting = try near.receive(maximumBytes: 1000, maximumDescriptors: 0)?.bytes
        #expect(try greeting == JobCoding.encode(WorkerGreeting()))
        process = forked
        socket = consume near
    }

    func send(_ bytes: [UInt8], descriptors: [Int32]) throws {
        try socket?.send(bytes, descriptors: descriptors)
    }

    mutating func hangUp() {
        socket = nil
    }

    mutating func wait() -> Kernel.ExitStatus {
        process.wait().status
    }
}
