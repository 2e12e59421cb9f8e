internal import Glibc
internal import Kernel

/// The entries of a directory one after the other, in no order: memory does not grow with their number.
enum DirectoryWalk {
    /// readdir(3) to the end, without `.` and `..`.
    ///
    /// - Parameter directory: opened for this; its position is used up.
    static func each(in directory: borrowing FileDescriptor, _ visit: (FilePath) -> Void) throws(Errno) {
        let copy = fcntl(directory.rawValue, F_DUPFD_CLOEXEC, 0)
        if copy < 0 { throw .current }
        guard let stream = fdopendir(copy) else {
            let error = Errno.current
            close(copy)
            throw error
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                let error = Errno.current
                if error.rawValue != 0 { throw error }
                return
            }
            let name = withUnsafeBytes(of: &record.pointee.d_name) { FilePath(bytes: $0.prefix { $0 != 0 }) }
            if name != "." && name != ".." { visit(name) }
        }
    }
}
