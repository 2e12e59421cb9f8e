/// An 8-bit picture in memory: rows from top to bottom without gaps, samples of a pixel side by side.
struct Pixels: ~Copyable {
    /// In pixels.
    let width: Int
    /// In pixels.
    let height: Int
    /// 1 for grey, 3 for sRGB, 4 for CMYK.
    let bands: Int
    /// `width * height * bands` samples.
    let samples: UnsafeMutableBufferPointer<UInt8>

    /// Reserves memory without filling it.
    init(width: Int, height: Int, bands: Int) {
        self.width = width
        self.height = height
        self.bands = bands
        samples = .allocate(capacity: width * height * bands)
    }

    deinit {
        samples.deallocate()
    }

    /// The samples as bytes; valid as long as this value.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(samples) }

    /// The start of one row.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        samples.baseAddress.unsafelyUnwrapped + y * width * bands
    }
}
