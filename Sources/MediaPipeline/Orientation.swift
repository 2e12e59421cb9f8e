/// How stored pixels are to be turned: the eight values of the EXIF tag.
enum Orientation: Int {
    case upright = 1
    case mirrored
    case upsideDown
    case mirroredUpsideDown
    case mirroredOnLeftSide
    case onLeftSide
    case mirroredOnRightSide
    case onRightSide

    /// True when width and height change places.
    var swapsAxes: Bool { rawValue >= 5 }

    /// Turns a picture upright and gives it three bands; grey is repeated.
    func upright(_ source: consuming Pixels) -> Pixels {
        if self == .upright, source.bands == 3 { return source }
        let (width, height) = swapsAxes ? (source.height, source.width) : (source.width, source.height)
        let result = Pixels(width: width, height: height, bands: 3)
        let (right, down) = (source.bands, source.width * source.bands)
        let (lastColumn, lastRow) = ((source.width - 1) * right, (source.height - 1) * down)
        // Where the upright picture's first pixel is stored, and how far it is to its right and lower neighbours.
        let (origin, stepX, stepY) =
            switch self {
            case .upright: (0, right, down)
            case .mirrored: (lastColumn, -right, down)
            case .upsideDown: (lastColumn + lastRow, -right, -down)
            case .mirroredUpsideDown: (lastRow, right, -down)
            case .mirroredOnLeftSide: (0, down, right)
            case .onLeftSide: (lastRow, -down, right)
            case .mirroredOnRightSide: (lastColumn + lastRow, -down, -right)
            case .onRightSide: (lastColumn, down, -right)
            }
        let (second, third) = source.bands >= 3 ? (1, 2) : (0, 0)
        let start = source.row(0)
        for y in 0..<height {
            var from = start + origin + y * stepY
            var to = result.row(y)
            for _ in 0..<width {
                to[0] = from[0]
                to[1] = from[second]
                to[2] = from[third]
                from += stepX
                to += 3
            }
        }
        return result
    }
}
