/// The broad colours of a scene: a small square of 8-bit RGB samples.
struct Layout {
    /// Pixels an edge.
    static let edge = 96

    private let samples: [UInt8]

    init(seed: Int) {
        var samples: [UInt8] = []
        samples.reserveCapacity(Self.edge * Self.edge * 3)
        let shift = Double(seed % 7) / 7
        for y in 0..<Self.edge {
            for x in 0..<Self.edge {
                let color = Self.color(Double(x) / Double(Self.edge), Double(y) / Double(Self.edge), shift)
                samples += [UInt8(color.0), UInt8(color.1), UInt8(color.2)]
            }
        }
        self.samples = samples
    }

    func withSamples<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: samples.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: samples)
        return try body(UnsafeRawBufferPointer(buffer))
    }

    /// - Parameters:
    ///   - x: 0 to 1 from the left.
    ///   - y: 0 to 1 from the top.
    ///   - shift: 0 to 1, moves hills and sun.
    private static func color(_ x: Double, _ y: Double, _ shift: Double) -> (Double, Double, Double) {
        let horizon = 0.45 + 0.08 * wave(x * 2 + shift) + 0.03 * wave(x * 7 + shift * 3)
        // A house: a red roof over a white wall.
        if (0.22..<0.40).contains(x), (0.50..<0.58).contains(y) { return (196, 48, 40) }
        if (0.24..<0.38).contains(x), (0.58..<0.70).contains(y) { return (232, 228, 220) }
        let (sunX, sunY) = (0.72 - 0.2 * shift, 0.2)
        let distance = ((x - sunX) * (x - sunX) + (y - sunY) * (y - sunY)).squareRoot()
        if y < horizon {
            let glow = max(0, 1 - distance * 3) * 90
            return (
                min(90 + 90 * y + glow, 250), min(140 + 70 * y + glow * 0.8, 245), min(215 - 30 * y + glow * 0.2, 240)
            )
        }
        if y > 0.72, x < 0.5 + 0.1 * wave(y * 3 + shift) {
            let ripple = 12 * wave(y * 40 + x * 3)
            return (50 + ripple, 96 + ripple, 130 + ripple)
        }
        let shade = 26 * wave(x * 11 + y * 5 + shift * 9)
        return (84 + shade, 124 + shade * 0.8, 52 + shade * 0.5)
    }

    /// A periodic curve between -1 and 1 without the C library: a parabola through each half period.
    private static func wave(_ x: Double) -> Double {
        let phase = x - x.rounded(.down)
        let half = phase < 0.5 ? phase * 2 : phase * 2 - 1
        let bump = 4 * half * (1 - half)
        return phase < 0.5 ? bump : -bump
    }
}
