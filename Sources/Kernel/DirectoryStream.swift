import Glibc

/// Reads a directory an entry at a time, in the kernel's order, without `.` and `..`: memory does not grow with it.
public struct DirectoryStream: ~Copyable {
    // A DIR, which nothing else refers to.
    private let stream: OpaquePointer

    /// fdopendir(3) of a descriptor of its own. The one given is not moved, nor needed after this.
    public init(of directory: borrowing FileDescriptor) throws(Errno) {
        let fresh = try FileDescriptor.open(".", flags: .directory, relativeTo: directory)
        stream = try Self.openStream(fresh)
    }

    deinit {
        closedir(stream)
    }

    /// readdir(3); nil at the end.
    public mutating func next() throws(Errno) -> DirectoryListing.Entry? {
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                let error = Errno.current
                if error.rawValue != 0 { throw error }
                return nil
            }
            let name = Self.name(of: record)
            guard name.isEntryName, let kind = try kind(of: record, name: name) else { continue }
            return DirectoryListing.Entry(name: name, kind: kind)
        }
    }

    /// fdopendir(3), which takes the descriptor over when it succeeds.
    private static func openStream(_ directory: consuming FileDescriptor) throws(Errno) -> OpaquePointer {
        let number = directory.release()
        guard let stream = fdopendir(number) else {
            let error = Errno.current
            _ = FileDescriptor(adopting: number)
            throw error
        }
        return stream
    }

    private static func name(of record: UnsafeMutablePointer<dirent>) -> FilePath {
        withUnsafePointer(to: &record.pointee.d_name) { field in
            field.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout.size(ofValue: field.pointee)) { start in
                FilePath(bytes: UnsafeBufferPointer(start: start, count: strlen(UnsafeRawPointer(start))))
            }
        }
    }

    /// Nil when the name went away meanwhile.
    private func kind(of record: UnsafeMutablePointer<dirent>, name: FilePath) throws(Errno) -> FileKind? {
        let type = Int(record.pointee.d_type)
        if type != DT_UNKNOWN { return FileKind(mode: mode_t(type) << 12) }
        // Some file systems keep no type in the directory itself.
        var status = stat()
        let base = dirfd(stream)
        do throws(Errno) {
            try name.withCString { (name) throws(Errno) in
                _ = try systemCall { fstatat(base, name, &status, AT_SYMLINK_NOFOLLOW) }
            }
        } catch .noSuchFileOrDirectory {
            return nil
        }
        return FileKind(mode: status.st_mode)
    }
}
