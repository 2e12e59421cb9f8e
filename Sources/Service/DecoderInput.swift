internal import AttachmentRules
internal import Kernel
internal import MediaProbe

/// What the decoder is shown: the snapshot itself or, where the probe found bytes that are not for it, a copy without
/// them. Without stray bytes between the segments of a JPEG, whatever the decoder still complains about is damage.
struct DecoderInput: ~Copyable {
    /// The facts, with offsets into what the decoder is shown.
    let facts: MediaFacts
    /// The cleaned copy; nil when the snapshot can be shown as it is.
    let file: SealedFile?

    init(_ snapshot: borrowing SealedFile, facts: MediaFacts) throws(Rejection) {
        guard !facts.hiddenBytes.isEmpty else {
            self.facts = facts
            file = nil
            return
        }
        do throws(Errno) {
            let copy = try MemoryFile.create(name: "source")
            try snapshot.withUnsafeBytes { (bytes) throws(Errno) in
                var start = 0
                for hidden in facts.hiddenBytes {
                    try copy.append(UnsafeRawBufferPointer(rebasing: bytes[start..<hidden.lowerBound]))
                    start = hidden.upperBound
                }
                try copy.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }
            file = try copy.seal()
        } catch {
            throw Rejection(
                .unreadable, rule: .notAFile, stage: .intake, "It cannot be copied for the decoder (\(error)).")
        }
        var cleaned = facts
        cleaned.hiddenBytes = []
        if let exif = facts.exif {
            let before = facts.hiddenBytes.filter { $0.upperBound <= exif.lowerBound }.reduce(0) { $0 + $1.count }
            cleaned.exif = exif.lowerBound - before..<exif.upperBound - before
        }
        self.facts = cleaned
    }
}
