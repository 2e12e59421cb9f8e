import CLinux
import Glibc

extension FileDescriptor {
    /// Lends the first `size` bytes of a file that others may write to meanwhile, whatever its size: mmap(2).
    ///
    /// For reading on the calling thread only, and one file at a time. EIO when the file got shorter than that, or its
    /// disk failed, while it was read: zeros stood for what was not there, and what was made of them is worth nothing.
    public func withMappedBytes<R>(_ size: Int, _ body: (Span<UInt8>) -> R) throws(Errno) -> R {
        guard size > 0 else { return body(Span()) }
        guard let start = linux_mapping_open(rawValue, size) else { throw .current }
        let result = body(Span(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: size)))
        if linux_mapping_close() { throw .inputOutput }
        return result
    }
}
