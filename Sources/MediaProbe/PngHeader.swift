internal import AttachmentRules

/// The IHDR chunk of a PNG and what follows from it (PNG specification, third edition, 11.2.1).
struct PngHeader {
    let width: Int
    let height: Int
    let depth: Int
    let colorType: Int
    let isInterlaced: Bool

    /// - Parameter body: the chunk's 13 bytes.
    init(_ bytes: Span<UInt8>, body: Range<Int>) throws(Rejection) {
        guard body.count == 13, let width = bytes.bigEndian32(at: body.lowerBound),
            let height = bytes.bigEndian32(at: body.lowerBound + 4)
        else { throw .malformed("The PNG's header does not have 13 bytes") }
        let most = Int(Int32.max)
        guard (1...most).contains(width), (1...most).contains(height) else {
            throw .malformed("The PNG's sides are \(width) x \(height) pixels, outside 1 to \(most)")
        }
        let start = body.lowerBound
        depth = Int(bytes[start + 8])
        colorType = Int(bytes[start + 9])
        let depths =
            switch colorType {
            case 0: [1, 2, 4, 8, 16]
            case 3: [1, 2, 4, 8]
            case 2, 4, 6: [8, 16]
            default: [Int]()
            }
        guard depths.contains(depth) else {
            throw .malformed("The PNG has \(depth) bits with colour type \(colorType), which does not exist")
        }
        guard bytes[start + 10] == 0, bytes[start + 11] == 0, bytes[start + 12] <= 1 else {
            throw .malformed("The PNG names a compression, filter or interlace method that does not exist")
        }
        isInterlaced = bytes[start + 12] == 1
        self.width = width
        self.height = height
    }

    var colorModel: MediaFacts.ColorModel {
        switch colorType {
        case 0, 4: .gray
        case 3: .palette
        default: .rgb
        }
    }

    var hasAlphaChannel: Bool { colorType >= 4 }

    private var channels: Int {
        switch colorType {
        case 2: 3
        case 4: 2
        case 6: 4
        default: 1
        }
    }

    /// Bytes of the filtered rows that the IDAT chunks must inflate to.
    var rawBytes: Int {
        guard isInterlaced else { return passBytes(columns: width, rows: height) }
        // The seven passes of Adam7: first column and row, and the steps.
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return passes.reduce(0) { sum, pass in
            let columns = max(0, width - pass.0).dividedRoundingUp(by: pass.2)
            let rows = max(0, height - pass.1).dividedRoundingUp(by: pass.3)
            return sum.saturatingPlus(passBytes(columns: columns, rows: rows))
        }
    }

    private func passBytes(columns: Int, rows: Int) -> Int {
        guard columns > 0, rows > 0 else { return 0 }
        let row = columns.saturatingTimes(channels * depth).dividedRoundingUp(by: 8)
        return row.saturatingPlus(1).saturatingTimes(rows)
    }

    /// Bytes of one pixel once a palette and a transparent colour are resolved.
    func decodedBytesPerPixel(hasTransparency: Bool) -> Int {
        let colors = colorType == 3 ? 3 : channels
        return (colors + (hasTransparency && !hasAlphaChannel ? 1 : 0)) * (depth == 16 ? 2 : 1)
    }
}
