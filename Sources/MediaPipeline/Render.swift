internal import AttachmentRules
internal import JobProtocol
internal import Vips

/// The third step: from the encoded source to upright 8-bit sRGB pixels of the planned size, decoded once.
enum Render {
    /// The picture is decoded to at least this many times the target before it is resized.
    ///
    /// Measured: 2 costs 5 % more CPU and gains nothing on ordinary photos, 1 loses 1 to 2 points of SSIMULACRA2.
    static let headroom = 1.5

    /// - Parameters:
    ///   - identified: gets a note when its profile turns out to be unusable.
    static func pixels(
        of source: UnsafeRawBufferPointer, _ identified: inout Identified, size: PlannedSize,
        background: Recipe.Background
    ) throws(Rejection) -> Pixels {
        let stored =
            identified.orientation.swapsAxes ? PlannedSize(width: size.height, height: size.width) : size
        do throws(VipsError) {
            let small = try shrunk(source, &identified, to: stored, background)
            let converted = try Colors.sRGB(small, identified: &identified, background)
            return identified.orientation.upright(converted)
        } catch {
            throw .undecodable(.render, error)
        }
    }

    /// Decodes and resizes; colours are still the source's own.
    private static func shrunk(
        _ source: UnsafeRawBufferPointer, _ identified: inout Identified, to size: PlannedSize,
        _ background: Recipe.Background
    ) throws(VipsError) -> Shrunk {
        if identified.loader == .heif {
            let identified = identified
            return try OneCPU.run { () throws(VipsError) in
                try resized(identified.image, identified, to: size, background)
            }
        }
        if identified.loader == .webp, !identified.image.hasAlpha {
            // libvips holds a WebP's canvas from the header on, and in the end 15 bytes a pixel. Replacing the header's
            // picture frees its canvas. With transparency, libwebp would mix in the colours of what nobody sees.
            let shrink = shrinkOnLoad(identified.image, to: size)
            if shrink > 1 { identified.image = try VipsImage.load(.webp, source, shrink: shrink) }
        }
        guard identified.loader == .jpeg else {
            return try resized(identified.image, identified, to: size, background)
        }
        return try shrunkJPEG(source, identified, to: size, background)
    }

    private static func shrunkJPEG(
        _ source: UnsafeRawBufferPointer, _ identified: Identified, to size: PlannedSize,
        _ background: Recipe.Background
    ) throws(VipsError) -> Shrunk {
        let shrink = shrinkOnLoad(identified.image, to: size)
        let image = try VipsImage.load(.jpeg, source, shrink: shrink)
        let warnings = Vips.warningsOnThisThread
        let small = try resized(consume image, identified, to: size, background)
        // Damage in the last rows shows only when the decoder is released, which it is by now.
        guard Vips.warningsOnThisThread == warnings else {
            throw VipsError(detail: "damaged data in the last rows")
        }
        return small
    }

    /// The power of two that libjpeg or libwebp can shrink by while it decodes.
    static func shrinkOnLoad(_ image: VipsImage, to size: PlannedSize) -> Int {
        let ratio = min(Double(image.width) / Double(size.width), Double(image.height) / Double(size.height))
        return [8, 4, 2].first { Double($0) * headroom <= ratio } ?? 1
    }

    /// Bytes without transparency take the fast way; the others are resized by libvips in their own format.
    private static func resized(
        _ image: VipsImage, _ identified: Identified, to size: PlannedSize, _ background: Recipe.Background
    ) throws(VipsError) -> Shrunk {
        var image = image
        let needsProfile = identified.profile.map { !$0.isSRGB } ?? false
        if image.isPacked || !needsProfile && (image.space == .gray16 || image.space == .rgb16 || image.bands == 2) {
            image = try image.convertedToSRGB()
        }
        if !needsProfile, image.isBytes, image.hasAlpha, image.space == .sRGB {
            // Flattening first takes half the time of resizing with premultiplied alpha; largest difference 1 of 255.
            image = try image.flattened(on: background.components, opaque: 255)
        }
        guard image.isBytes, !image.hasAlpha, [1, 3, 4].contains(image.bands) else {
            return .wide(try resizedWide(image, to: size))
        }
        return .bytes(try resizedBytes(image, to: size), image.space)
    }

    private static func resizedBytes(_ image: VipsImage, to size: PlannedSize) throws(VipsError) -> Pixels {
        var resampler = Resampler(
            width: image.width, height: image.height, bands: image.bands, targetWidth: size.width,
            targetHeight: size.height)
        try image.forEachStrip { _, rows, samples, stride in
            for row in 0..<rows {
                resampler.add(row: samples + row * stride)
            }
        }
        return resampler.finish()
    }

    private static func resizedWide(_ image: VipsImage, to size: PlannedSize) throws(VipsError) -> VipsImage {
        let xScale = Double(size.width) / Double(image.width)
        let yScale = Double(size.height) / Double(image.height)
        guard image.hasAlpha else {
            return try image.resized(by: xScale, vertically: yScale).inMemory()
        }
        return try image.premultiplied().resized(by: xScale, vertically: yScale).unpremultiplied().cast(like: image)
            .inMemory()
    }
}

/// A picture of the planned size in the source's own colours.
enum Shrunk: ~Copyable {
    /// 1, 3 or 4 bands without transparency.
    case bytes(Pixels, VipsImage.ColorSpace)
    /// Any other format, perhaps with transparency.
    case wide(VipsImage)
}

extension Recipe.Background {
    var components: [Double] { [Double(red), Double(green), Double(blue)] }
}
