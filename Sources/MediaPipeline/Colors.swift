internal import AttachmentRules
internal import JobProtocol
internal import MediaProbe
internal import Vips

/// The part of rendering that changes colours: on the small picture, and only where the source is not sRGB already.
///
/// Untagged RGB and grey are sRGB and stay as they are. libvips 8.14.1 would export them through XYZ and turn grey 64
/// into (58, 58, 53).
enum Colors {
    /// Gives 8-bit sRGB or grey pixels.
    static func sRGB(
        _ small: consuming Shrunk, identified: inout Identified, _ background: Recipe.Background
    ) throws(VipsError) -> Pixels {
        switch consume small {
        case .bytes(let pixels, let space):
            let profile = identified.profile.flatMap { $0.isSRGB ? nil : $0 }
            if profile == nil, space == .sRGB || space == .gray { return pixels }
            let image = try VipsImage.over(
                pixels.bytes, width: pixels.width, height: pixels.height, space: space, profile: profile?.bytes)
            return try converted(image, &identified).pixels()
        case .wide(let image):
            guard image.hasAlpha else { return try converted(image, &identified).pixels() }
            let last = image.bands - 1
            let colors = try converted(image.bands(0..<last), &identified)
            let alpha = try image.bands(last..<last + 1).alphaAsBytes(of: image)
            return try colors.joined(with: alpha).flattened(on: background.components, opaque: 255).pixels()
        }
    }

    private static func converted(
        _ image: VipsImage, _ identified: inout Identified
    ) throws(VipsError) -> VipsImage {
        if let profile = identified.profile, !profile.isSRGB {
            do {
                return try image.convertedFromEmbeddedProfile().inMemory()
            } catch {
                identified.facts.notes.append(.profileIgnored)
            }
        }
        return image.space == .cmyk ? try image.convertedFromBuiltInCMYK() : try image.convertedToSRGB()
    }
}

extension VipsImage {
    /// The pixels of an 8-bit picture; of more than three bands the first three.
    fileprivate func pixels() throws(VipsError) -> Pixels {
        let source = bands > 3 ? try bands(0..<3) : self
        let pixels = Pixels(width: source.width, height: source.height, bands: source.bands)
        let length = pixels.width * pixels.bands
        let start = UnsafeMutableRawPointer(pixels.row(0))
        try source.forEachStrip { top, rows, samples, stride in
            for row in 0..<rows {
                (start + (top + row) * length).copyMemory(from: samples + row * stride, byteCount: length)
            }
        }
        return pixels
    }
}
