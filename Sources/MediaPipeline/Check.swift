internal import AttachmentRules
internal import JobProtocol
internal import MediaProbe
internal import Vips

/// The complete decode of a picture that stays as it is: every frame of a GIF, nothing kept, nothing written.
///
/// As strict as rendering, and no more memory than that needs: where libjpeg and libwebp shrink while they decode, they
/// still read all of the coded data.
enum Check {
    /// Most rows of frames below each other; libvips allows ten million.
    private static let mostRows = 8_000_000

    /// - Parameters:
    ///   - size: what would be rendered, upright.
    static func complete(
        _ picture: UnsafeRawBufferPointer, _ identified: Identified, facts: MediaFacts, planned size: PlannedSize
    ) throws(Rejection) {
        do throws(VipsError) {
            switch identified.loader {
            case .heif:
                try OneCPU.run { () throws(VipsError) in try decode(identified.image) }
            case .gif:
                try decodeFrames(of: picture, count: facts.frames, height: identified.image.height)
            case .jpeg, .webp:
                let stored =
                    identified.orientation.swapsAxes ? PlannedSize(width: size.height, height: size.width) : size
                let shrink = identified.image.hasAlpha ? 1 : Render.shrinkOnLoad(identified.image, to: stored)
                let warnings = Vips.warningsOnThisThread
                try decode(VipsImage.load(identified.loader, picture, shrink: shrink))
                // Damage in the last rows shows only when the decoder is released, which it is by now.
                guard Vips.warningsOnThisThread == warnings else {
                    throw VipsError(detail: "damaged data in the last rows")
                }
            case .png, .tiff:
                try decode(identified.image)
            }
        } catch {
            throw .undecodable(.render, error)
        }
    }

    private static func decodeFrames(
        of picture: UnsafeRawBufferPointer, count: Int, height: Int
    ) throws(VipsError) {
        let most = max(mostRows / max(height, 1), 1)
        var first = 0
        while first < count {
            let last = min(first + most, count)
            try decode(VipsImage.load(gif: picture, frames: first..<last))
            first = last
        }
    }

    private static func decode(_ image: consuming VipsImage) throws(VipsError) {
        try image.forEachStrip { _, _, _, _ in }
    }
}
