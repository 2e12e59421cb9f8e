public import Kernel

extension Spool {
    /// Where a rendition lies below the outbox: `media/ab/abcd….jpg`.
    ///
    /// - Parameters:
    ///   - digest: the SHA-256 of its bytes, in lower-case hexadecimal.
    ///   - fileExtension: without the dot.
    public static func mediaPath(digest: String, fileExtension: String) -> FilePath {
        OutboxPart.media.name.appending(FilePath(String(digest.prefix(2))))
            .appending(FilePath("\(digest).\(fileExtension)"))
    }
}
