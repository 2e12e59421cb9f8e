import CCaptive
import Glibc
import JobProtocol
import Kernel
import Sandbox

// Plays a worker that was taken over: it enters the sandbox as every worker does, takes a job, and then makes one
// attempt at something else.
//
// usage: captive confined|free|threaded GROUP NUMBER DIRECTORY
//
// Exit status: 0 when the attempt succeeded, else its errno; 200 and above when it was not even made.
let arguments = CommandLine.arguments
guard arguments.count == 5, let group = UInt32(arguments[2]), let number = Int(arguments[3]),
    let actions = captive_actions(captive_group(group)), let attempt = actions[number].attempt
else { exit(200) }
guard chdir(arguments[4]) == 0 else { exit(201) }
let leftOpen = open("file", O_RDONLY)
guard leftOpen >= 0, dup2(leftOpen, 20) == 20 else { exit(202) }

// A second thread is one that Landlock would leave outside. It waits in a call that the filter lets it make.
if arguments[1] == "threaded" { try SystemThread.start { while true { sleep(1_000) } }.detach() }
let settings = SandboxSettings(
    socket: 3, parent: getppid(), addressSpaceBytes: try RunningProgram.mappedBytes() + 512 << 20,
    resultBytes: 1 << 20)
let missing = arguments[1] == "free" ? [] : Sandbox.enter(settings)

func work() throws -> Int32 {
    let socket = MessageSocket(adopting: FileDescriptor(adopting: settings.socket))
    try socket.send(JobCoding.encode(WorkerGreeting(missing: missing)))
    guard let job = try socket.receive(maximumBytes: 1, maximumDescriptors: 3) else { return 203 }
    var descriptors = job.descriptors
    guard let source = descriptors.takeFirst(), let result = descriptors.takeFirst(),
        let kept = descriptors.takeFirst()
    else { return 204 }
    // By now the supervisor has sealed what it keeps.
    guard try socket.receive(maximumBytes: 1, maximumDescriptors: 0) != nil else { return 205 }
    var context = captive_context(
        parent: settings.parent, source: source.rawValue, result: result.rawValue, kept: kept.rawValue, left_open: 20)
    return attempt(&context)
}

exit(try work())
