internal import CVips

/// A call of libvips that failed.
///
/// The text is for a person only: libvips keeps it in one buffer per process, so it may belong to another thread's
/// failure, and nothing may be decided by it.
public struct VipsError: Error, Equatable, Sendable {
    /// What libvips said, on one line, at most 200 characters.
    public let detail: String

    /// For failures that we notice ourselves while libvips works.
    public init(detail: String) {
        self.detail = detail
    }

    /// Takes the text out of the global buffer and leaves that empty.
    static func taken() -> VipsError {
        guard let text = vips_error_buffer_copy() else { return VipsError(detail: "") }
        defer { g_free(text) }
        let line = String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
        return VipsError(detail: String(line.prefix(200)))
    }
}
