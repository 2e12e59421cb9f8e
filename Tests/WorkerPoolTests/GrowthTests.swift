import Glibc
import Kernel
import Testing
import WorkerPool

/// What a lane leaves behind in its own process, in a process that does nothing else.
@Suite struct GrowthTests {
    @Test func pooledWorkersLeaveNothingBehind() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            try Growth.measure(jobs: 1_600, jobsPerWorker: 64)
        }
        tell(result)
    }

    @Test func aWorkerForEachJobLeavesNothingBehind() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            try Growth.measure(jobs: 400, jobsPerWorker: 1)
        }
        tell(result)
    }

    /// Prints the figures that the other process printed.
    private func tell(_ result: ExitTest.Result?) {
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        for line in text.split(separator: "\n") where line.contains("KB more") { print(line) }
    }
}

private enum Growth {
    static func measure(jobs: Int, jobsPerWorker: Int) throws {
        let installation = try Installation("good")
        var configuration = installation.configuration
        configuration.jobsPerWorker = jobsPerWorker
        let warmUp = try run(300, on: configuration, from: 0)
        #expect(warmUp.crashes > 0 && warmUp.lies > 0)
        let before = (descriptors: try openDescriptors(), memory: try residentBytes())
        let counts = try run(jobs, on: configuration, from: 300)
        #expect(counts.crashes == 2 * faults(of: "segv", in: 300..<300 + jobs))
        #expect(try openDescriptors() == before.descriptors)
        let growth = try residentBytes() - before.memory
        #expect(growth < 2 << 20)
        // Neither a child that runs nor a zombie.
        #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
        print("\(jobs) jobs, \(jobsPerWorker) a worker: \(growth >> 10) KB more, \(counts.started) workers")
    }

    private static func behaviour(of job: Int) -> String {
        switch job % 50 {
        case 11: "segv"
        case 23: "garbage"
        case 37: "with-descriptor"
        case 41: "answer-and-talk"
        default: "answer"
        }
    }

    private static func faults(of behaviour: String, in jobs: Range<Int>) -> Int {
        jobs.count { self.behaviour(of: $0) == behaviour }
    }

    private static func run(
        _ jobs: Int, on configuration: WorkerConfiguration, from first: Int
    ) throws -> WorkerCounts {
        let lane = WorkerLane(configuration)
        for job in first..<first + jobs {
            let behaviour = behaviour(of: job)
            let answer = try lane.text(of: request(behaviour, id: UInt64(job)))
            guard behaviour.hasPrefix("answer") else { continue }
            #expect(answer == .success("picture \(job)"))
        }
        lane.close()
        return lane.counts
    }

    private static func openDescriptors() throws -> Int {
        try DirectoryListing(of: FileDescriptor.open("/proc/self/fd", flags: .directory)).entries.count
    }

    private static func residentBytes() throws -> Int {
        let text = try FileDescriptor.open("/proc/self/statm", flags: .readOnly).readAll(maximumBytes: 1_000)
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        return (Int(words[1]) ?? 0) * Int(getpagesize())
    }
}
