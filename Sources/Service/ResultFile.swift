internal import Hashing
internal import Kernel
internal import Spool

/// A result that is to be published: sealed bytes under the name that they give themselves.
///
/// A class, so that a push can hold several: what cannot be copied cannot be kept in an array.
final class ResultFile: Sendable {
    let file: SealedFile
    /// SHA-256, in lower-case hexadecimal.
    let digest: String
    /// Without the dot.
    let fileExtension: String

    init(_ file: consuming SealedFile, fileExtension: String) {
        self.file = file
        digest = self.file.withBytes { Digest.hex($0) }
        self.fileExtension = fileExtension
    }

    /// Where it is published in an outbox.
    var mediaPath: FilePath { Spool.mediaPath(digest: digest, fileExtension: fileExtension) }
}
