internal import CVips

/// Bytes that libvips allocated: an encoded picture.
public final class VipsBlob {
    private let start: UnsafeMutableRawPointer
    /// Length, in bytes.
    public let count: Int

    /// Takes ownership of memory from `g_malloc`.
    init(owning start: UnsafeMutableRawPointer, count: Int) {
        self.start = start
        self.count = count
    }

    deinit {
        g_free(start)
    }

    /// Gives the bytes for the time of one call.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }
}
