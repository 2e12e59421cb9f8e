/// Which part of a finished picture a square thumbnail is to show.
enum Focus {
    /// Where the largest square begins along the long edge, in pixels: around what people look at, as far inside as the
    /// picture goes. nil for a square, and for a picture in which no place is better than another.
    static func offset(in pixels: borrowing Pixels) -> Int? {
        let (width, height) = (pixels.width, pixels.height)
        let side = min(width, height)
        guard width != height, let centre = Attention(pixels).centre(side: side) else { return nil }
        let along = width > height ? centre.x : centre.y
        return min(max(along - side / 2, 0), max(width, height) - side)
    }
}
