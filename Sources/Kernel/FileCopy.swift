import CLinux
import Glibc

/// Which side of a copy failed, and what it answered.
public enum CopyFailure: Error, Equatable, Sendable {
    /// Reading, such as EIO for a bad sector.
    case source(Errno)
    /// Writing, such as ENOSPC.
    case target(Errno)
}

/// A file's content, from one file to another.
extension FileDescriptor {
    /// Copies the first `size` bytes to the same places of `target`, leaving out holes, and makes it `size` bytes long.
    ///
    /// A source that is shorter by now leaves zeros: whoever copies compares the status before and after.
    public func copyContent(to target: borrowing FileDescriptor, size: Int) throws(CopyFailure) {
        let targetNumber = target.rawValue
        do throws(Errno) { try systemCall { ftruncate(targetNumber, off_t(size)) } } catch { throw .target(error) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 1)
        defer { buffer.deallocate() }
        var position: off_t = 0
        while position < size, let data = try nextData(from: position), data < size {
            // Bytes that went away between the two calls, and devices that know no positions, must not stop the clock.
            let end = max(data + 1, min(off_t(size), try nextHole(from: data)))
            position = data
            while position < end {
                let wanted = min(buffer.count, Int(end - position))
                let count = try readPart(UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: position)
                if count == 0 { return }
                do throws(Errno) {
                    try target.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
                } catch {
                    throw .target(error)
                }
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

    /// Once pread(2).
    private func readPart(_ buffer: UnsafeMutableRawBufferPointer, at start: off_t) throws(CopyFailure) -> Int {
        do throws(Errno) {
            return try systemCall { pread(rawValue, buffer.baseAddress, buffer.count, start) }
        } catch {
            throw .source(error)
        }
    }

    /// Nil when nothing but a hole follows.
    private func nextData(from position: off_t) throws(CopyFailure) -> off_t? {
        do throws(Errno) {
            return try systemCall { linux_seek_data(rawValue, position) }
        } catch Errno(rawValue: ENXIO) {
            return nil
        } catch {
            throw .source(error)
        }
    }

    private func nextHole(from position: off_t) throws(CopyFailure) -> off_t {
        do throws(Errno) {
            return try systemCall { linux_seek_hole(rawValue, position) }
        } catch {
            throw .source(error)
        }
    }
}
