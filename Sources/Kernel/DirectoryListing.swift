import Glibc

/// The entries of a directory at one moment, in byte order of their names, without `.` and `..`.
public struct DirectoryListing: Sendable {
    public let entries: [Entry]

    public struct Entry: Sendable {
        public var name: FilePath
        public var kind: FileKind
    }

    /// readdir(3) to the end. The descriptor's own position is neither used nor moved.
    public init(of directory: borrowing FileDescriptor) throws(Errno) {
        let fresh = try FileDescriptor.open(".", flags: .directory, relativeTo: directory)
        let stream = try Self.openStream(fresh)
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                let error = Errno.current
                if error.rawValue != 0 { throw error }
                break
            }
            let name = Self.name(of: record)
            guard name.isEntryName else { continue }
            guard let kind = try Self.kind(of: record, name: name, in: directory) else { continue }
            entries.append(Entry(name: name, kind: kind))
        }
        self.entries = entries.sorted { $0.name < $1.name }
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

    /// Nil when the name went away while the listing was made.
    private static func kind(
        of record: UnsafeMutablePointer<dirent>, name: FilePath, in directory: borrowing FileDescriptor
    ) throws(Errno) -> FileKind? {
        let type = Int(record.pointee.d_type)
        if type != DT_UNKNOWN { return FileKind(mode: mode_t(type) << 12) }
        // Some file systems keep no type in the directory itself.
        do throws(Errno) {
            return try FileDescriptor.status(of: name, relativeTo: directory).kind
        } catch .noSuchFileOrDirectory {
            return nil
        }
    }
}
