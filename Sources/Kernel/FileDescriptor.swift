import CLinux
import Glibc

/// Owns an open file descriptor and closes it when its own life ends.
///
/// Every descriptor made here is close-on-exec.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number; valid for as long as this value lives.
    public let rawValue: Int32

    /// Takes over `rawValue`, which nobody else may close from now on.
    public init(adopting rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // AT_FDCWD, the only negative number in here, is nothing that could be closed.
        if rawValue >= 0 { _ = Glibc.close(rawValue) }
    }

    /// AT_FDCWD: what paths are relative to when nothing else is given.
    public static var currentDirectory: FileDescriptor { FileDescriptor(adopting: AT_FDCWD) }

    /// close(2), for the callers that have to know its error; the descriptor is gone in any case.
    public consuming func close() throws(Errno) {
        if Glibc.close(release()) != 0 { throw .current }
    }

    /// Gives the number to an owner of another kind.
    consuming func release() -> Int32 {
        let number = rawValue
        discard self
        return number
    }

    /// fstat(2).
    public func status() throws(Errno) -> FileStatus {
        var status = stat()
        try systemCall { fstat(rawValue, &status) }
        return FileStatus(status)
    }

    /// faccessat(2): whether this process may make, rename and remove entries of this directory, as far as its own mode
    /// says.
    public var mayChangeEntries: Bool { faccessat(rawValue, ".", W_OK | X_OK, AT_EACCESS) == 0 }

    /// flock(2), held until every copy of the descriptor is closed; EAGAIN when `nonblocking` and somebody holds it.
    public func lock(exclusive: Bool, nonblocking: Bool) throws(Errno) {
        try systemCall { flock(rawValue, (exclusive ? LOCK_EX : LOCK_SH) | (nonblocking ? LOCK_NB : 0)) }
    }

    /// fsync(2). After an error nothing is known of what is on disk: the file has to be written anew.
    public func sync() throws(Errno) {
        if fsync(rawValue) != 0 { throw .current }
    }

    /// syncfs(2): everything on the file system that this descriptor is on.
    public func syncFileSystem() throws(Errno) {
        if linux_syncfs(rawValue) != 0 { throw .current }
    }
}

// MARK: - Bytes

extension FileDescriptor {
    /// read(2): up to `buffer.count` bytes; 0 at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try systemCall { Glibc.read(rawValue, buffer.baseAddress, buffer.count) }
    }

    /// read(2) until the end; EFBIG when there are more than `maximumBytes`.
    public func readAll(maximumBytes: Int) throws(Errno) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try chunk.withUnsafeMutableBufferPointer { (buffer) throws(Errno) in
                try read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if count == 0 { return all }
            guard all.count + count <= maximumBytes else { throw .fileTooLarge }
            all += chunk[..<count]
        }
    }

    /// write(2) until every byte is written.
    public func writeAll(_ bytes: Span<UInt8>) throws(Errno) {
        try bytes.withUnsafeBytes { (buffer) throws(Errno) in try writeAll(buffer) }
    }

    /// write(2) until every byte is written.
    public func writeAll(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            rest = rest.dropFirst(try systemCall { write(rawValue, part.baseAddress, part.count) })
        }
    }
}
