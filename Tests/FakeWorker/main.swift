import Glibc
import JobProtocol
import Kernel

// Plays a worker and the program that it is forked from. The name that it is run under says how it starts, the message
// of a request's first note how it treats that job: so the pool's own command line needs no place for tests.
if try FakeWorker.isWorker(FakeWorker.command.lastComponent) {
    try FakeWorker.greet(FakeWorker.command.lastComponent)
    try FakeWorker.work()
}

enum FakeWorker {
    /// The name that this process was started under.
    static let command = FilePath(CommandLine.arguments[0])

    /// Starts and forks; true in each worker.
    static func isWorker(_ manner: FilePath) throws -> Bool {
        let socket = borrowedSocket()
        switch manner {
        case "dies-before-ready":
            try leaveMark()
            exit(42)
        case "never-ready": sleepForEver()
        case "redirects-signals":
            try TerminationSignals.redirect([SIGINT, SIGTERM]) { signal in
                try? borrowedSocket().send([UInt8(signal)], descriptors: [])
            }
            try socket.send(JobCoding.encode(WorkerGreeting()), descriptors: [])
            sleepForEver()
        case "greets-wrongly": try socket.send(JobCoding.encode(WorkerGreeting(version: 99)), descriptors: [])
        case "greets-with-noise": try socket.send([0xFF, 0x00, 0x7B], descriptors: [])
        default: try socket.send(JobCoding.encode(WorkerGreeting()), descriptors: [])
        }
        if manner == "never-forks" { sleepForEver() }
        if manner == "dies-at-the-fork" {
            try leaveMark()
            exit(43)
        }
        return try ForkServer.serve(on: 3)
    }

    /// A worker's own greeting.
    static func greet(_ manner: FilePath) throws {
        setpgid(0, 0)
        let socket = borrowedSocket()
        switch manner {
        case "worker-dies-before-ready":
            try leaveMark()
            exit(42)
        case "worker-never-ready": sleepForEver()
        case "worker-greets-wrongly": try socket.send(JobCoding.encode(WorkerGreeting(version: 99)), descriptors: [])
        case "worker-is-weak":
            let missing = MissingLayer(.landlock, reason: "Landlock: Function not implemented")
            try socket.send(JobCoding.encode(WorkerGreeting(missing: [missing])), descriptors: [])
        default: try socket.send(JobCoding.encode(WorkerGreeting()), descriptors: [])
        }
        if manner == "leaves-after-ready" { exit(0) }
    }

    static func work() throws {
        let socket = borrowedSocket()
        while let message = try socket.receive(
            maximumBytes: JobCoding.maximumRequestBytes, maximumDescriptors: 2)
        {
            let request = try JobCoding.decode(JobRequest.self, from: message.bytes)
            try FakeJob(request: request).run(message.descriptors, on: socket)
        }
    }

    /// A file beside the program, for the test to count.
    static func leaveMark() throws {
        let mark = FilePath("\(command.display).\(getpid())")
        try FileDescriptor.open(mark, flags: [.writeOnly, .create]).close()
    }

    /// Descriptor 3, which stays open for as long as the process lives.
    private static func borrowedSocket() -> MessageSocket {
        MessageSocket(adopting: FileDescriptor(adopting: dup(3)))
    }
}

func sleepForEver() -> Never {
    while true { pause() }
}
