import CLinux

/// What is renamed when the thread that holds the mark dies of a fatal signal: so that the next start knows whom to
/// blame.
///
/// SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT and SIGTRAP count, unless another process sent them; SIGKILL cannot be
/// seen. The signal then ends the process as ever.
public struct CrashMark: ~Copyable, @unchecked Sendable {
    // Unchecked: the mark is made for use by any thread, see crash.c.
    private let mark: OpaquePointer

    /// Nobody holds it yet. The paths are resolved when the process dies. ENOMEM; EINVAL for a NUL in a path.
    public init(renaming path: FilePath, to newPath: FilePath) throws(Errno) {
        mark = try path.withCString { (path) throws(Errno) in
            try newPath.withCString { (newPath) throws(Errno) in
                guard let mark = linux_crash_mark_create(path, newPath) else { throw .current }
                return mark
            }
        }
    }

    deinit {
        linux_crash_mark_free(mark)
    }

    /// Makes the calling thread the holder, in place of any other; a thread may hold several marks.
    public func hold() {
        linux_crash_mark_hold(mark)
    }

    /// Nobody is the holder, until `hold` is called again.
    public func release() {
        linux_crash_mark_release(mark)
    }
}
