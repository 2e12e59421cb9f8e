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
        let output = Output(rendition, at: path, sha256: sha256)
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

    /// Adds what was measured of a sound or film, and the result that it will be.
    mutating func tell(_ clip: ClipFacts, as type: MediaType) {
        source.mediaType = type
        source.width = clip.video?.width
        source.height = clip.video?.height
        self.clip = clip
        if !clip.isDecodedWhole {
            add([Note(.keyFramesOnly, "It is too long to decode all of it; of its film, only key frames were.")])
        }
    }

    /// Adds that the film will have no still picture.
    mutating func tellMissingPoster() {
        add([Note(.noPoster, "No still picture could be made of it.")])
    }

    /// Adds the sound or film as what is published, or of a dry run would be.
    ///
    /// - Parameters:
    ///   - path: below the output directory.
    ///   - bytes: of the source, which is the result.
    mutating func tell(
        _ clip: ClipFacts, as type: MediaType, at path: FilePath, sha256: String, bytes: Int
    ) {
        status = .published
        id = sha256
        var output = Output(clip, as: type)
        output.file = path.lastComponent.display
        output.path = path.display
        output.sha256 = sha256
        output.bytes = bytes
        self.output = output
        attachment = AttachmentOptions(identifier: String(sha256.prefix(12)), typeHint: output.uti)
    }

    /// Adds a film's still picture, which is where its thumbnail is taken from as well.
    mutating func tell(still rendition: Rendition, at path: FilePath, sha256: String) {
        poster = Output(rendition, at: path, sha256: sha256)
        attachment?.thumbnailClippingRectangle = .square(
            ofWidth: rendition.size.width, height: rendition.size.height, offset: rendition.focus)
        attachment?.thumbnailTime = clip?.stillMilliseconds.map { Double($0) / 1_000 }
    }

    private mutating func add(_ more: [Note]) {
        guard !more.isEmpty else { return }
        notes = (notes ?? []) + more.filter { !(notes ?? []).contains($0) }
    }
}

extension Manifest.Output {
    /// A picture that was made.
    ///
    /// - Parameter path: below the output directory.
    init(_ rendition: Rendition, at path: FilePath, sha256: String) {
        self.init(width: rendition.size.width, height: rendition.size.height)
        file = path.lastComponent.display
        self.path = path.display
        self.sha256 = sha256
        bytes = rendition.bytes
    }
}
