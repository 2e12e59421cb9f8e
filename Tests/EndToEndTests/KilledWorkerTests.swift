import Foundation
import Glibc
import Kernel
import Testing

/// Workers that die or stop in the middle of a batch, and a batch that is told to end.
@Suite(.serialized) struct KilledWorkerTests {
    let scratch: Scratch
    static let count = 6

    init() throws {
        scratch = try Scratch()
        for number in 0..<Self.count {
            // Trailing bytes make them different files with one picture.
            try scratch.write(Album.large + [UInt8(number)], to: "in/\(number).jpg")
        }
    }

    /// The process ids of a process's children and of theirs, as the kernel lists them.
    static func descendants(of pid: Int32) -> [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        let children = tasks.flatMap { task in
            ((try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { Int32($0) }
        }
        return children + children.flatMap(descendants)
    }

    /// True once a worker has mapped a source: it is working on a picture.
    ///
    /// Before it runs its own program, a child shares the supervisor's memory, and with it the supervisor's mappings.
    static func isWorking(_ pid: Int32) -> Bool {
        guard read("comm", of: pid).hasPrefix("mediaprep-worke") else { return false }
        // The stream made of a file, or the file's snapshot where it needs none.
        let maps = maps(pid)
        return maps.contains("memfd:source") || maps.contains("memfd:snapshot")
    }

    /// What a process has mapped, as the kernel lists it.
    static func maps(_ pid: Int32) -> String { read("maps", of: pid) }

    // Foundation reads no more than the first 4,096 bytes of such a file.
    private static func read(_ name: String, of pid: Int32) -> String {
        let file = try? FileDescriptor.open(FilePath("/proc/\(pid)/\(name)"), flags: .readOnly)
        return String(decoding: (try? file?.readAll(maximumBytes: 1 << 20)) ?? [], as: UTF8.self)
    }

    /// Waits until a worker of this process is in the middle of a picture; nil when the process ended before.
    static func busyWorker(of pid: Int32) -> Int32? {
        while kill(pid, 0) == 0 {
            if let worker = descendants(of: pid).first(where: isWorking) { return worker }
            sched_yield()
        }
        return nil
    }

    @Test(
        "a worker that is killed costs at most the picture it was working on",
        arguments: [SIGSEGV, SIGABRT, SIGKILL, SIGSTOP])
    func killed(signal: Int32) throws {
        // Only a stopped worker may run into its deadline, however slow and busy the machine that tests.
        let deadline = signal == SIGSTOP ? "10" : "120"
        let result = try Program().run(
            ["batch", "in", "--output", "out", "--json", "--deadline", deadline], in: scratch.url
        ) { pid in
            let worker = try #require(Self.busyWorker(of: pid))
            kill(worker, signal)
        }
        #expect(result.manifests.count == Self.count)
        let refused = result.manifests.filter { $0["status"] as? String == "rejected" }
        // One crash is tried again by a fresh worker; one that does not come to an end is not.
        #expect(refused.count <= (signal == SIGSTOP ? 1 : 0))
        #expect(result.status == (refused.isEmpty ? 0 : 1))
        for manifest in refused {
            #expect((manifest["rejection"] as? [String: Any])?["code"] as? String == "decoder-timeout")
        }
        let files = scratch.files(below: "out")
        #expect(files.count == 2 * Self.count - refused.count)
        // Every source has the same pixels, and so the same result.
        #expect(Set(files.filter { $0.hasSuffix(".jpg") }.map { scratch.bytes("out/\($0)") }).count == 1)
    }

    @Test("a batch that is told to end leaves whole files only, and dies of the signal", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        var workers: [Int32] = []
        let result = try Program().run(["batch", "in", "--output", "out", "--json"], in: scratch.url) { pid in
            workers.append(try #require(Self.busyWorker(of: pid)))
            kill(pid, signal)
        }
        #expect(result.status == -signal)
        for file in scratch.files(below: "out") {
            #expect(!file.contains(".tmp"))
            if file.hasSuffix(".json") {
                #expect(scratch.manifest("out/" + file) != nil)
            } else {
                #expect(scratch.bytes("out/" + file)?.suffix(2) == [0xFF, 0xD9])
            }
        }
        for worker in workers { #expect(kill(worker, 0) == -1) }
        let rest = try Program().run(["batch", "in", "--output", "out"], in: scratch.url)
        #expect(rest.status == 0, "\(rest.errors)")
        #expect(scratch.files(below: "out").count == 2 * Self.count)
    }

    @Test("workers die with a supervisor that is killed")
    func orphaned() throws {
        var workers: [Int32] = []
        let result = try Program().run(["batch", "in", "--output", "out"], in: scratch.url) { pid in
            _ = try #require(Self.busyWorker(of: pid))
            workers = Self.descendants(of: pid)
            kill(pid, SIGKILL)
        }
        #expect(result.status == -SIGKILL)
        #expect(!workers.isEmpty)
        // A zombie that nobody reaps any more is as dead as a process that is gone.
        for worker in workers {
            while let state = try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8),
                !state.contains(") Z ")
            {
                sched_yield()
            }
        }
        #expect(try Program().run(["batch", "in", "--output", "out"], in: scratch.url).status == 0)
        #expect(scratch.files(below: "out").count == 2 * Self.count)
    }
}
