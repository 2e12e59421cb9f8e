import CLinux
import Glibc

/// A file that lives in memory and has no name: memfd_create(2). Writable until it is sealed.
public struct MemoryFile: ~Copyable, Sendable {
    /// The descriptor itself, to hand to another process.
    public let descriptor: FileDescriptor

    /// Takes over a memfd that another process sent.
    public init(adopting descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// memfd_create(2) with MFD_CLOEXEC and MFD_ALLOW_SEALING. `name` only shows in /proc.
    public static func create(name: FilePath) throws(Errno) -> MemoryFile {
        let number = try name.withCString { (name) throws(Errno) in
            try systemCall { linux_memfd_create(name) }
        }
        return MemoryFile(adopting: FileDescriptor(adopting: number))
    }

    /// sendfile(2) of the first `size` bytes of `source` into a new memory file.
    ///
    /// It is shorter when the source is. Whether the source changed meanwhile is for the caller to ask `status()`.
    public static func snapshot(
        of source: borrowing FileDescriptor, size: Int
    ) throws(Errno) -> MemoryFile {
        let file = try create(name: "snapshot")
        let input = source.rawValue
        let output = file.descriptor.rawValue
        var position: off_t = 0
        while position < size {
            let count = try systemCall { sendfile(output, input, &position, size - Int(position)) }
            if count == 0 { break }
        }
        return file
    }

    /// write(2) of all of `bytes` at the end of what was written so far.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        try descriptor.writeAll(bytes)
    }

    /// In bytes, by fstat(2).
    public var size: Int {
        get throws(Errno) { try descriptor.status().size }
    }

    /// fcntl(F_ADD_SEALS) against writing, growing, shrinking and further seals.
    ///
    /// EBUSY when somebody still has a writable mapping of it.
    public consuming func seal() throws(Errno) -> SealedFile {
        let number = descriptor.rawValue
        try systemCall { linux_memfd_seal(number) }
        return try SealedFile(adopting: descriptor)
    }
}
