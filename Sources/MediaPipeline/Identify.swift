internal import AttachmentRules
internal import Exif
internal import JobProtocol
internal import MediaProbe
internal import Vips

/// What is known of a source once its decoder has read the header, and not a pixel.
struct Identified {
    let loader: VipsLoader
    /// The picture as stored, to be decoded once; gives way to a smaller one when it shrinks while it loads.
    var image: VipsImage
    /// What has to be applied to the decoded pixels; upright where the container turns them by itself.
    let orientation: Orientation
    /// The embedded profile, if it fits the pixels.
    let profile: EmbeddedProfile?
    var facts: SourceFacts

    /// In pixels, when upright.
    var width: Int { orientation.swapsAxes ? image.height : image.width }
    /// In pixels, when upright.
    var height: Int { orientation.swapsAxes ? image.width : image.height }

    struct EmbeddedProfile {
        let bytes: [UInt8]
        let isSRGB: Bool
    }
}

/// The first step: the header, through the loader that the probe's facts name.
enum Identify {
    ///
    /// - Parameters:
    ///   - picture: the picture's own stream.
    ///   - exif: read from what follows it.
    ///   - allFrames: every frame that the decoder can read will be used.
    static func source(
        _ picture: UnsafeRawBufferPointer, exif: ExifFacts, facts: MediaFacts, allFrames: Bool
    ) throws(Rejection) -> Identified {
        let loader = try loader(for: facts.mediaType)
        let image: VipsImage
        do throws(VipsError) {
            image = try VipsImage.load(loader, picture)
        } catch {
            throw .undecodable(.identify, error)
        }
        guard isExpected(image, loader, facts) else {
            throw Rejection(
                .decodeFailed, rule: .doesNotDecode, stage: .identify,
                "The decoder reads \(image.width)x\(image.height) pixels where the file's structure says "
                    + "\(facts.width)x\(facts.height); save it anew, as JPEG or PNG, and send that.")
        }

        let claimed = exif.orientation.flatMap(Orientation.init(rawValue:))
        var result = SourceFacts()
        result.hasGPS = exif.hasGPS
        result.hasCamera = exif.hasCamera
        result.hasDate = exif.hasDate
        result.hasEXIF = exif.hasEntries
        let orientation = orientation(loader, image, claimed)
        result.orientation = orientation.rawValue
        let usesFirstOnly = !(allFrames && loader == .gif)
        if facts.frames > 1, usesFirstOnly, !facts.notes.contains(where: { $0.code == .firstFrameOnly }) {
            result.notes.append(Note(.firstFrameOnly, "Only the first of \(facts.frames) frames is used."))
        }
        if loader == .heif, let claimed, disagrees(claimed, image, facts) {
            result.notes.append(
                Note(.containerOrientation, "EXIF says orientation \(claimed.rawValue), the container another."))
        }

        var profile: Identified.EmbeddedProfile?
        if let bytes = image.blob("icc-profile-data") {
            let parsed = ColorProfile(bytes)
            result.colorProfile = parsed?.description
            if let parsed, parsed.space == image.profileSpace {
                profile = Identified.EmbeddedProfile(bytes: bytes, isSRGB: parsed.isSRGB)
            } else {
                result.notes.append(.profileIgnored)
            }
        }
        result.isSRGB = (profile?.isSRGB ?? true) && image.space.isGrayOrRGB
        return Identified(loader: loader, image: image, orientation: orientation, profile: profile, facts: result)
    }

    /// Everything has the size that its memory was estimated by, but for two: a HEIF container may turn or crop its
    /// picture, and libvips's GIF decoder takes a screen of 640x480 and other sizes of old monitors, or one over 2048
    /// pixels, for no size at all and goes by the frame.
    private static func isExpected(_ image: VipsImage, _ loader: VipsLoader, _ facts: MediaFacts) -> Bool {
        switch loader {
        case .heif: true
        case .gif: image.width <= facts.width && image.height <= facts.height
        default: (image.width, image.height) == (facts.width, facts.height)
        }
    }

    private static func loader(for type: MediaType) throws(Rejection) -> VipsLoader {
        switch type {
        case .jpeg: .jpeg
        case .png, .apng: .png
        case .gif: .gif
        case .webp: .webp
        case .heic, .heif, .avif: .heif
        case .tiff: .tiff
        default:
            throw Rejection(
                .typeNotAllowed, rule: .typeNotAccepted, stage: .identify,
                "\(type.rawValue) is not a picture type that is decoded here.")
        }
    }

    private static func orientation(_ loader: VipsLoader, _ image: VipsImage, _ claimed: Orientation?) -> Orientation {
        switch loader {
        case .heif: .upright
        // The tag lies in the file's own directory, anywhere in the file; the EXIF reader gets no more than 64 KB.
        case .tiff: Orientation(rawValue: image.orientation) ?? .upright
        default: claimed ?? .upright
        }
    }

    /// True when EXIF asks for another shape than the one that the container's own rotation gives.
    private static func disagrees(_ claimed: Orientation, _ image: VipsImage, _ facts: MediaFacts) -> Bool {
        guard facts.width != facts.height else { return false }
        let turned = (image.width, image.height) == (facts.height, facts.width)
        return claimed.swapsAxes != turned
    }
}

extension VipsImage.ColorSpace {
    fileprivate var isGrayOrRGB: Bool { [.gray, .gray16, .sRGB, .rgb16].contains(self) }
}

extension VipsImage {
    /// The kind of profile that fits these pixels.
    fileprivate var profileSpace: ColorProfile.Space {
        switch space {
        case .gray, .gray16: .gray
        case .sRGB, .rgb16: .rgb
        case .cmyk: .cmyk
        case .lab, .labs: .lab
        case .other: .other
        }
    }
}

extension Rejection {
    /// A decoder gave up: which one, and what it said, is for a person only.
    static func undecodable(_ stage: Stage, _ error: VipsError) -> Rejection {
        let detail = error.detail.isEmpty ? "" : " (\(error.detail))"
        return Rejection(
            .decodeFailed, rule: .doesNotDecode, stage: stage,
            "The picture does not decode completely\(detail); save it anew, as JPEG or PNG, and send that.")
    }
}
