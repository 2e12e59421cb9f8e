internal import AttachmentRules

/// Walks the directories of a TIFF or BigTIFF; the first page is the picture.
enum TiffStructure {
    static func examine(_ bytes: Span<UInt8>, limits: Limits) throws(Rejection) -> MediaFacts {
        guard let layout = TiffLayout(bytes) else { throw .endsEarly(.tiff, in: "header") }
        guard let first = TiffDirectory(layout, at: layout.firstDirectory, bytes) else {
            if layout.firstDirectory >= UInt64(bytes.count) { throw .endsEarly(.tiff, in: "directory") }
            throw .malformed("The TIFF's first directory cannot be read")
        }
        let page = try TiffPage(first, bytes, limits: limits)
        var facts = MediaFacts(
            mediaType: .tiff, width: page.width, height: page.height, colorModel: page.colorModel)
        facts.bitsPerComponent = page.bits
        facts.hasAlpha = page.hasAlpha
        facts.workingMemory = WorkingMemory.tiff(pieceBytes: page.pieceRowBytes)
        let isInside = try page.isInside(first, bytes, limits: limits)
        let chain = try Chain(layout, first, bytes, limits: limits)
        facts.isComplete = isInside && chain.isComplete
        facts.frames = chain.pages
        if chain.isLoop {
            facts.notes.append(Note(.pageLoop, "The TIFF's chain of pages runs in a circle; it was cut there."))
        }
        return facts
    }

    /// The chain of pages after the first.
    private struct Chain {
        var pages = 1
        var isLoop = false
        var isComplete = true

        init(
            _ layout: TiffLayout, _ first: TiffDirectory, _ bytes: Span<UInt8>, limits: Limits
        ) throws(Rejection) {
            // At most `limits.frames` offsets, whatever the file says.
            var seen: Set = [layout.firstDirectory]
            var directory = first
            while let next = directory.next, next != 0 {
                guard seen.insert(next).inserted else {
                    isLoop = true
                    return
                }
                guard let following = TiffDirectory(layout, at: next, bytes) else {
                    isComplete = false
                    return
                }
                pages += 1
                guard pages <= limits.frames else { throw .tooManyFrames(limit: limits.frames) }
                directory = following
            }
            isComplete = directory.next != nil
        }
    }
}
