internal import CAv

/// Bytes in memory as libav reads a file: it has no other.
final class MappedSource {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    /// libav's handle; freed with this.
    private(set) var io: UnsafeMutablePointer<AVIOContext>?

    /// - Parameter bytes: have to live as long as this.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        let capacity = 32 << 10
        guard let buffer = av_malloc(capacity) else { return }
        io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(capacity), 0, Unmanaged.passUnretained(self).toOpaque(),
            { opaque, target, count in
                guard let opaque, let target else { return shim_invalid() }
                return Unmanaged<MappedSource>.fromOpaque(opaque).takeUnretainedValue().read(into: target, count)
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return Int64(shim_invalid()) }
                return Unmanaged<MappedSource>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        if io == nil { av_free(buffer) }
    }

    deinit {
        if let io { av_freep(&io.pointee.buffer) }
        avio_context_free(&io)
    }

    private func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        let length = min(Int(count), bytes.count - offset)
        guard length > 0, let start = bytes.baseAddress else { return shim_end() }
        UnsafeMutableRawPointer(target).copyMemory(from: start + offset, byteCount: length)
        offset += length
        return Int32(length)
    }

    private func seek(_ position: Int64, _ whence: Int32) -> Int64 {
        let base: Int
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return Int64(bytes.count)
        case 0: base = 0
        case 1: base = offset
        case 2: base = bytes.count
        default: return Int64(shim_invalid())
        }
        let (target, overflows) = base.addingReportingOverflow(Int(position))
        // As with a file one may stand at the end, but not behind it.
        guard !overflows, (0...bytes.count).contains(target) else { return Int64(shim_invalid()) }
        offset = target
        return Int64(target)
    }
}
