internal import JobProtocol
internal import WorkerPool

/// What whoever started the program is told of a sandbox without all of its layers.
enum WeakSandbox {
    /// At every start that allows it.
    static let isAllowed =
        "mediaprep: warning: --allow-weak-sandbox: pictures are decoded even where the kernel lacks part of the decoder's "
        + "sandbox\n"

    /// Once for each layer.
    static func isUsed(_ missing: Set<MissingLayer>) -> String {
        "mediaprep: warning: pictures are decoded in a weak sandbox: \(missing.sentence)\n"
    }
}
