import Glibc
import JobProtocol
import Kernel

// Plays a worker. The name that it is run under says how it starts, the message of a request's first note how it
// treats that job: so the pool's own command line needs no place for tests.
try FakeWorker.start(FakeWorker.command.lastComponent)
try FakeWorker.work()

enum FakeWorker {
    /// The name that this process was started under.
    static let command = FilePath(CommandLine.arguments[0])

    static func start(_ manner: FilePath) throws {
        let socket = borrowedSocket()
        switch manner {
        case "dies-before-ready":
            try leaveMark()
            exit(42)
        case "never-ready": sleepForEver()
        case "redirects-signals":
            try TerminationSignals.redirect { signal in
                try? borrowedSocket().send([UInt8(signal)], descriptors: [])
            }
            try socket.send(JobCoding.encode(WorkerGreeting.current), descriptors: [])
        case "greets-wrongly": try socket.send(JobCoding.encode(WorkerGreeting(ready: 99)), descriptors: [])
        case "greets-with-noise": try socket.send([0xFF, 0x00, 0x7B], descriptors: [])
        default: try socket.send(JobCoding.encode(WorkerGreeting.current), descriptors: [])
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
