import CLinux
import Glibc

/// A memory file that nobody can change any more, mapped for reading.
///
/// Only sealed files are ever mapped: touching a page that another process has cut off would be SIGBUS.
public struct SealedFile: ~Copyable, Sendable {
    /// The descriptor itself, to hand to another process.
    public let descriptor: FileDescriptor
    private let mapping: Mapping

    /// mmap(2) of a memory file that is sealed against writing, growing and shrinking; EPERM when it is not.
    public init(adopting descriptor: consuming FileDescriptor) throws(Errno) {
        let number = descriptor.rawValue
        guard try systemCall({ linux_memfd_is_sealed(number) }) == 1 else { throw .notPermitted }
        // lseek(2) and not fstat(2), which glibc makes a call that can ask for paths as well.
        let size = try systemCall { lseek(number, 0, SEEK_END) }
        mapping = try Mapping(of: number, size: Int(size))
        self.descriptor = descriptor
    }

    /// In bytes.
    public var size: Int { mapping.bytes.count }

    /// Lends the content for the duration of the call.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(Span(_unsafeBytes: mapping.bytes))
    }

    /// Lends the content to C for the duration of the call.
    public func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(mapping.bytes)
    }
}

/// A read-only mapping; unmapped at the end of its life.
struct Mapping: ~Copyable, @unchecked Sendable {
    /// Empty for an empty file, which mmap(2) refuses.
    let bytes: UnsafeRawBufferPointer

    init(of descriptor: Int32, size: Int) throws(Errno) {
        guard size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        // MAP_PRIVATE: before Linux 6.7 a shared mapping of a write-sealed file was refused even for reading.
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw .current
        }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }
}
