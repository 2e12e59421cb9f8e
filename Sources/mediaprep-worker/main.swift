import Glibc
import Kernel
import MediaPipeline

guard let arguments = WorkerArguments(CommandLine.arguments.dropFirst()) else {
    WorkerExit.usage.end("usage: mediaprep-worker ADDRESS-SPACE-BYTES SUPERVISOR-PID (mediaprep starts this by itself)")
}
do {
    try MediaPipeline.start()
} catch {
    WorkerExit.noDecoder.end("cannot start the image library: \(error)")
}
do {
    try Confinement.apply(arguments)
} catch {
    WorkerExit.notConfined.end("cannot confine itself: \(error)")
}
do {
    try JobLoop.run(on: MessageSocket(adopting: FileDescriptor(adopting: 3)))
} catch {
    WorkerExit.badJob.end("cannot go on: \(error)")
}
exit(0)
