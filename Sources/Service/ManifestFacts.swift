internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe

extension Manifest {
    /// Adds what the probe found.
    mutating func tell(_ facts: MediaFacts) {
        source.mediaType = facts.mediaType
        source.width = facts.width
        source.height = facts.height
        source.bitsPerComponent = facts.bitsPerComponent
        source.frames = facts.frames
        source.hasAlpha = facts.hasAlpha
        source.trailingBytes = facts.trailingBytes > 0 ? facts.trailingBytes : nil
        add(facts.notes)
    }

    /// Adds what the worker found in the source.
    mutating func tell(_ found: SourceFacts) {
        source.orientation = found.orientation
        source.colorProfile = found.colorProfile
        source.hasGPS = found.hasGPS
        source.hasCamera = found.hasCamera
        source.hasDate = found.hasDate
        add(found.notes)
    }

    /// Adds the size that the result will have.
    mutating func tell(planned size: PlannedSize) {
        status = .planned
        output = Output(width: size.width, height: size.height)
        memory = Memory(DecodedMemory(width: size.width, height: size.height, bitsPerComponent: 8), fileBytes: nil)
    }

    /// Adds the result.
    ///
    /// - Parameter path: below the output directory.
    mutating func tell(_ rendition: Rendition, at path: FilePath, sha256: String, recipe: Recipe) {
        status = .published
        id = sha256
        var output = Output(width: rendition.size.width, height: rendition.size.height)
        output.file = path.lastComponent.display
        output.path = path.display
        output.sha256 = sha256
        output.bytes = rendition.bytes
        self.output = output
        encoder = Encoder(
            recipe: recipe, quality: rendition.quality, reason: rendition.reason.rawValue,
            progressive: rendition.isProgressive, attempts: rendition.attempts, libvips: rendition.libvips)
        memory = Memory(
            DecodedMemory(width: rendition.size.width, height: rendition.size.height, bitsPerComponent: 8),
            fileBytes: rendition.bytes)
        var attachment = AttachmentOptions(identifier: String(sha256.prefix(12)), typeHint: output.uti)
        attachment.thumbnailClippingRectangle = .square(
            ofWidth: rendition.size.width, height: rendition.size.height, offset: rendition.focus)
        self.attachment = attachment
    }

    private mutating func add(_ more: [Note]) {
        guard !more.isEmpty else { return }
        notes = (notes ?? []) + more.filter { !(notes ?? []).contains($0) }
    }
}
