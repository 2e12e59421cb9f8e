internal import AttachmentRules
internal import JobProtocol
internal import Kernel
internal import MediaProbe

extension AttachmentFacts.Picture {
    /// What the structure says; the colours of an embedded profile are not known by that.
    init(_ facts: MediaFacts, _ upright: UprightSize) {
        self.init(width: upright.width, height: upright.height)
        bitsPerComponent = facts.bitsPerComponent
        frames = facts.frames
        // A HEIF is turned by its container, which every reader obeys.
        orientation = facts.mediaType.isTurnedByContainer ? 1 : upright.orientation
        hasEXIF = facts.exif != nil
        switch facts.colorModel {
        case .cmyk, .ycck: (isSRGB, colorName) = (false, "CMYK")
        case .lab: (isSRGB, colorName) = (false, "Lab")
        case .gray, .rgb, .palette, .ycbcr, .other: break
        }
    }
}

extension AttachmentFacts {
    /// Adds what the worker says of a picture.
    mutating func take(_ outcome: JobReply.Outcome) {
        switch outcome {
        case .refused(let rejection): failure = rejection
        case .checked(let source, let size):
            guard var found = picture else { return }
            found.width = size.width
            found.height = size.height
            found.orientation = source.orientation
            found.isSRGB = source.isSRGB
            found.colorName = found.colorName ?? source.colorProfile
            found.hasGPS = source.hasGPS
            found.hasEXIF = source.hasEXIF
            picture = found
        case .clip(let found, _):
            clip = found
        case .planned, .rendered:
            preconditionFailure("an answer to another question is objected to before")
        }
    }
}

extension MediaType {
    fileprivate var isTurnedByContainer: Bool { [.heic, .heif, .avif].contains(self) }
}

extension FilePath {
    /// What follows the last dot of a name, but for a dot in front; nil without one.
    var fileExtension: String? {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
        return FilePath(bytes: bytes[(dot + 1)...]).display
    }
}

extension FileJudgement {
    /// Adds what it was judged by.
    mutating func tell(_ facts: AttachmentFacts, for receiver: Profile) {
        bytes = facts.bytes
        mediaType = facts.mediaType
        fileExtension = facts.fileExtension
        typeHint = facts.typeHint
        clip = facts.clip
        guard let found = facts.picture else { return }
        let memory = DecodedMemory(width: found.width, height: found.height, bitsPerComponent: found.bitsPerComponent)
        let peaks = memory.peaks(fileBytes: facts.bytes, frames: found.frames)
        let told = Manifest.Memory(memory, peaks: peaks, base: DecodedMemory.assumedBase, for: receiver)
        picture = Picture(
            width: found.width, height: found.height, bitsPerComponent: found.bitsPerComponent, frames: found.frames,
            orientation: found.orientation, isSRGB: found.isSRGB, colorProfile: found.colorName,
            hasGPS: found.hasGPS, hasEXIF: found.hasEXIF, memory: told)
    }
}
