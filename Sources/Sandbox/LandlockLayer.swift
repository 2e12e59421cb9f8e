internal import CLinux
internal import Kernel

/// No file system at all and, as far as the kernel's Landlock goes, no TCP, no abstract sockets and no signals.
///
/// Linux 5.13 has the file system, 6.7 TCP, 6.12 the rest; the filter of system calls forbids all of it as well.
enum LandlockLayer {
    static func enter() throws(SandboxError) {
        try checkThreads()
        try ask("Landlock") { linux_landlock_nothing() }
        do throws(Errno) {
            _ = try FileDescriptor.open("/", flags: .directory)
        } catch .permissionDenied {
            return
        } catch {
            throw SandboxError("opening / under Landlock", error)
        }
        throw SandboxError("Landlock lets / be opened")
    }

    /// A thread that is there already would stay outside.
    private static func checkThreads() throws(SandboxError) {
        let threads: Int
        do throws(Errno) {
            threads = try RunningProgram.threadCount()
        } catch {
            throw SandboxError("/proc/self/task", error)
        }
        guard threads == 1 else { throw SandboxError("the process has \(threads) threads already") }
    }
}
