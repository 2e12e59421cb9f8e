internal import CVips

extension VipsImage {
    /// Computes the picture from top to bottom on the calling thread and hands it over strip by strip.
    ///
    /// Nothing but the strip is held, whatever the picture's size, and no thread is started.
    ///
    /// - Parameters:
    ///   - body: gets the first row's number, the number of rows, and their samples, rows `stride` bytes apart.
    public func forEachStrip(
        _ body: (_ top: Int, _ rows: Int, _ samples: UnsafeRawPointer, _ stride: Int) -> Void
    ) throws(VipsError) {
        guard vips_image_pio_input(pointer) == 0, let region = vips_region_new(pointer) else {
            throw VipsError.taken()
        }
        defer { shim_unref(region) }
        var top = 0
        while top < height {
            let rows = min(Self.stripRows, height - top)
            var area = VipsRect(left: 0, top: CInt(top), width: CInt(width), height: CInt(rows))
            guard vips_region_prepare(region, &area) == 0 else { throw VipsError.taken() }
            body(top, rows, shim_region_address(region, 0, CInt(top)), Int(region.pointee.bpl))
            top += rows
        }
    }

    /// Rows a strip: two of the JPEG loader's own strips of eight, one of PNG's.
    private static let stripRows = 16
}
