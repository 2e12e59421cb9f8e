import CLinux
import Glibc

/// A file's content, from one file to another.
extension FileDescriptor {
    /// Copies the first `size` bytes to the same places of `target`, leaving out holes, and makes it `size` bytes long.
    ///
    /// A source that is shorter by now leaves zeros: whoever copies compares the status before and after.
    public func copyContent(to target: borrowing FileDescriptor, size: Int) throws(Errno) {
        let targetNumber = target.rawValue
        try systemCall { ftruncate(targetNumber, off_t(size)) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 1)
        defer { buffer.deallocate() }
        var position: off_t = 0
        while position < size, let data = try nextData(from: position), data < size {
            // Bytes that went away between the two calls, and devices that know no positions, must not stop the clock.
            let end = max(data + 1, min(off_t(size), try systemCall { linux_seek_hole(rawValue, data) }))
            position = data
            while position < end {
                let wanted = min(buffer.count, Int(end - position))
                let count = try systemCall { pread(rawValue, buffer.baseAddress, wanted, position) }
                if count == 0 { return }
                try target.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
                position += off_t(count)
            }
        }
    }

    /// pwrite(2) until every byte is written.
    private func writeAll(_ bytes: UnsafeRawBufferPointer, at start: off_t) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[written...])
            written += try systemCall { pwrite(rawValue, part.baseAddress, part.count, start + off_t(written)) }
        }
    }

    /// Nil when nothing but a hole follows.
    private func nextData(from position: off_t) throws(Errno) -> off_t? {
        do throws(Errno) {
            return try systemCall { linux_seek_data(rawValue, position) }
        } catch Errno(rawValue: ENXIO) {
            return nil
        }
    }
}
