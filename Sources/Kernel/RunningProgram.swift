import CLinux
import Glibc

/// The program that this process runs.
public enum RunningProgram {
    /// The arguments after the program's name, each as its bytes, which need not be UTF-8.
    public static var arguments: [[UInt8]] {
        var all: [[UInt8]] = []
        while let argument = linux_argument(Int32(all.count + 1)) {
            all.append(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
        }
        return all
    }

    /// readlink(2) of /proc/self/exe: the whole path, wherever and by whatever name it was called.
    public static func path() throws(Errno) -> FilePath {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = try systemCall { readlink("/proc/self/exe", &buffer, buffer.count) }
        return FilePath(bytes: buffer[..<length].map { UInt8(bitPattern: $0) })
    }

    /// What this process has mapped now, in bytes: the first number of /proc/self/statm, which RLIMIT_AS is held
    /// against. Libraries are in it, whether or not anything of them was ever read.
    public static func mappedBytes() throws(Errno) -> UInt64 {
        let text = try FileDescriptor.open("/proc/self/statm", flags: .readOnly).readAll(maximumBytes: 1_000)
        guard let word = String(decoding: text, as: UTF8.self).split(separator: " ").first,
            let pages = UInt64(word)
        else { throw .invalidArgument }
        return pages * UInt64(getpagesize())
    }

    /// The threads of this process, this one included: the entries of /proc/self/task.
    public static func threadCount() throws(Errno) -> Int {
        try DirectoryListing(of: FileDescriptor.open("/proc/self/task", flags: .directory)).entries.count
    }

    /// prctl(PR_SET_PDEATHSIG) with SIGKILL: this process dies with the thread that spawned it.
    ///
    /// ESRCH when `parent` was gone before the call.
    public static func dieWithParent(_ parent: Int32) throws(Errno) {
        try systemCall { linux_set_parent_death_signal(SIGKILL) }
        guard getppid() == parent else { throw .noSuchProcess }
    }
}
