/// The entries of a directory at one moment, in byte order of their names, without `.` and `..`.
public struct DirectoryListing: Sendable {
    public let entries: [Entry]
    /// False where there are more entries than were read.
    public let isWhole: Bool

    public struct Entry: Sendable {
        public var name: FilePath
        public var kind: FileKind
    }

    /// readdir(3) to the end, or until `limit` entries are read; nil for no limit. The descriptor's own position is
    /// neither used nor moved.
    public init(of directory: borrowing FileDescriptor, atMost limit: Int? = nil) throws(Errno) {
        var stream = try DirectoryStream(of: directory)
        var entries: [Entry] = []
        var isWhole = true
        while let entry = try stream.next() {
            if entries.count == limit {
                isWhole = false
                break
            }
            entries.append(entry)
        }
        self.entries = entries.sorted { $0.name < $1.name }
        self.isWhole = isWhole
    }
}
