internal import CLinux
internal import Glibc
internal import Kernel

/// No descriptor but the socket, and /dev/null for the standard streams: libraries print, and a stream that is closed
/// would give its number to the next picture.
enum DescriptorLayer {
    static func enter(keeping socket: Int32) throws(SandboxError) {
        // Their owners have closed what they opened before the rest is closed over everybody's head.
        try silenceStreams()
        precondition(socket == 3, "what follows the standard streams")
        try ask("close_range") { linux_close_from(4) }
        try checkOpen()
    }

    private static func silenceStreams() throws(SandboxError) {
        let null = try opened("/dev/null", flags: .readOnly)
        let sink = try opened("/dev/null", flags: .writeOnly)
        for (source, target) in [(null.rawValue, STDIN_FILENO), (sink.rawValue, STDOUT_FILENO), (sink.rawValue, 2)] {
            try ask("dup2") { dup2(source, target) }
        }
    }

    private static func checkOpen() throws(SandboxError) {
        let entries: [DirectoryListing.Entry]
        do throws(Errno) {
            entries = try DirectoryListing(of: FileDescriptor.open("/proc/self/fd", flags: .directory)).entries
        } catch {
            throw SandboxError("/proc/self/fd", error)
        }
        // The listing holds the two descriptors that it was made with.
        guard entries.count == 4 + 2 else { throw SandboxError("\(entries.count - 2) descriptors are open, not 4") }
    }

    private static func opened(_ path: FilePath, flags: OpenFlags) throws(SandboxError) -> FileDescriptor {
        do throws(Errno) {
            return try FileDescriptor.open(path, flags: flags)
        } catch {
            throw SandboxError(path.display, error)
        }
    }
}
