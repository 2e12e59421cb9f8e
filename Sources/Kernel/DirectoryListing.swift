/// The entries of a directory at one moment, in byte order of their names, without `.` and `..`.
public struct DirectoryListing: Sendable {
    public let entries: [Entry]

    public struct Entry: Sendable {
        public var name: FilePath
        public var kind: FileKind
    }

    /// readdir(3) to the end. The descriptor's own position is neither used nor moved.
    public init(of directory: borrowing FileDescriptor) throws(Errno) {
        var stream = try DirectoryStream(of: directory)
        var entries: [Entry] = []
        while let entry = try stream.next() { entries.append(entry) }
        self.entries = entries.sorted { $0.name < $1.name }
    }
}
