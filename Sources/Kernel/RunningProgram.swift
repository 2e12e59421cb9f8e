import Glibc

/// The program that this process runs.
public enum RunningProgram {
    /// readlink(2) of /proc/self/exe: the whole path, wherever and by whatever name it was called.
    public static func path() throws(Errno) -> FilePath {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = try systemCall { readlink("/proc/self/exe", &buffer, buffer.count) }
        return FilePath(bytes: buffer[..<length].map { UInt8(bitPattern: $0) })
    }
}
