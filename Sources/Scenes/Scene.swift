public import Vips

/// A picture that looks like a photo to an encoder, made from numbers: the same on every machine for the same values.
///
/// A layout of broad colours (sky, sun, hills, water) is painted small and enlarged, noise of several sizes is laid over
/// it the way detail is spread in photos, and a few hard-edged shapes go on top. The upper left corner is bluish sky,
/// the lower right one green land, and a red roof stands left of the middle, so that a turned, mirrored or colour-swapped
/// copy is told from the original at a glance and by a mean.
public struct Scene: Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Another seed is another picture of the same kind.
    public let seed: Int
    /// Standard deviation of the finest detail, in steps of 255: 4 is a calm photo, 12 a busy one, 40 nothing but noise.
    public let detail: Double

    public init(width: Int, height: Int, seed: Int = 1, detail: Double = 4) {
        self.width = width
        self.height = height
        self.seed = seed
        self.detail = detail
    }

    /// 8-bit sRGB pixels without metadata, computed at once.
    public func image() throws(VipsError) -> VipsImage {
        try Vips.start()
        let small = Layout(seed: seed)
        let layout = try small.withSamples { samples throws(VipsError) in
            try VipsImage.over(samples, width: Layout.edge, height: Layout.edge, space: .sRGB)
                .resized(by: Double(width) / Double(Layout.edge), vertically: Double(height) / Double(Layout.edge))
                .inMemory()
        }
        var sum = layout
        // Octaves of noise: the amplitude grows with the size of the grain, as it does in photos.
        for octave in 0..<4 where detail > 0 {
            let step = 1 << octave
            let (w, h) = ((width + step - 1) / step, (height + step - 1) / step)
            let grain = try VipsImage.noise(
                width: w, height: h, sigma: detail * (1 + Double(octave) / 2), seed: seed * 16 + octave)
            let full = try grain.resized(
                by: Double(width) / Double(w), vertically: Double(height) / Double(h))
            sum = try sum.adding(full)
        }
        return try sum.castToBytes().tagged().inMemory()
    }
}

extension VipsImage {
    /// sRGB again, after arithmetic made the samples plain numbers.
    fileprivate func tagged() throws(VipsError) -> VipsImage {
        try declared(.sRGB)
    }
}
