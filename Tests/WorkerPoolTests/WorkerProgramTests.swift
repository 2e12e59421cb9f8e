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
            ("words", ["much", "me"], .exited(64)),
            ("a parent that is not there", ["1000000000", "1"], .exited(71)),
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

    @Test func answersWhateverThePictureIsAndLivesOn() throws {
        let lane = WorkerLane(WorkerConfiguration(executable: try Installation.built("mediaprep-worker")))
        try lane.start()
        let pid = lane.workerPID
        for id in 1...3 as ClosedRange<UInt64> {
            let result = try MemoryFile.create(name: "result")
            let reply = try lane.run(request("", id: id, kind: .plan), source: sealed("no picture"), result: result)
            #expect(try reply.get().id == id)
        }
        #expect(lane.workerPID == pid)
    }

    @Test func confinesItself() throws {
        var configuration = WorkerConfiguration(executable: try Installation.built("mediaprep-worker"))
        configuration.addressSpaceBytes = 700 << 20
        let lane = WorkerLane(configuration)
        try lane.start()
        let process = "/proc/\(try #require(lane.workerPID))"
        let limits = try lines(of: FilePath("\(process)/limits"))
        let space = try #require(limits.first { $0.starts(with: ["Max", "address", "space"]) })
        let idle = try #require(lines(of: FilePath("\(process)/status")).first { $0.first == "VmSize:" })
        let limit = try #require(Int(space[3]))
        #expect(space[4] == space[3])
        // What came after the limit was set is the greeting.
        let share = try limit - #require(Int(idle[1])) << 10
        #expect(abs(share - 700 << 20) < 1 << 20)
        #expect(limits.contains(["Max", "core", "file", "size", "0", "0", "bytes"]))
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
        let kept = Mutex<Int32?>(nil)
        let thread = try SystemThread.start {
            let lane = WorkerLane(configuration)
            guard (try? lane.start()) != nil, let pid = lane.workerPID else { return }
            kept.withLock { $0 = pid }
            _ = Unmanaged.passRetained(lane)
        }
        thread.join()
        let pid = try #require(kept.withLock { $0 })
        var status: Int32 = 0
        #expect(waitpid(pid, &status, 0) == pid)
        #expect(status & 0x7F == SIGKILL)
    }
}

/// A worker that has greeted, without the pool.
private struct BareWorker: ~Copyable {
    private var process: ChildProcess
    private var socket: MessageSocket?

    init() throws {
        let pair = try MessageSocket.pair()
        let started = try ChildProcess.spawn(
            executable: Installation.built("mediaprep-worker"), arguments: ["1000000000", "\(getpid())"],
            environment: [], inheriting: pair.far)
        let near = pair.near
        let hasGreeted = try near.receive(maximumBytes: 1000, maximumDescriptors: 0) != nil
        #expect(hasGreeted)
        process = started
        socket = consume near
    }

    func send(_ bytes: [UInt8], descriptors: [Int32]) throws {
        try socket?.send(bytes, descriptors: descriptors)
    }

    mutating func hangUp() {
        socket = nil
    }

    mutating func wait() -> Kernel.ExitStatus {
        process.wait()
    }
}
