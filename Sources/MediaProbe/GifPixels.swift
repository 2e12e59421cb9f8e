/// Counts the pixels that a GIF frame's LZW data stand for (GIF89a, appendix F) without making them.
///
/// libnsgif, which libvips reads GIFs with, takes a frame whose data end early for a whole one and leaves the rest of it
/// empty. What it refuses by itself, an end code that comes too early or a code that is none, is left to it.
struct GifPixels {
    /// Where the next byte of the data is, and what is left of its sub-block.
    private var offset: Int
    private var left = 0
    private var buffer: UInt32 = 0
    private var available = 0
    /// Pixels that each code stands for.
    private var lengths: [Int]
    private let clear: Int
    private var next: Int
    private var width: Int
    private var former: Int?

    /// False when a chain of sub-blocks ends before as many pixels as a frame has.
    ///
    /// - Parameters:
    ///   - start: offset of the byte with the size of the codes; the chain begins behind it.
    ///   - pixels: of the frame.
    static func suffice(_ bytes: Span<UInt8>, from start: Int, for pixels: Int) -> Bool {
        guard let size = bytes.byte(at: start), (2..<12).contains(size) else { return true }
        var data = GifPixels(offset: start + 1, clear: 1 << Int(size))
        var missing = pixels
        while missing > 0 {
            guard let code = data.code(bytes) else { return false }
            guard let count = data.pixels(of: code) else { return true }
            missing -= count
        }
        return true
    }

    private init(offset: Int, clear: Int) {
        self.offset = offset
        self.clear = clear
        lengths = [Int](repeating: 1, count: 4_096)
        next = clear + 2
        width = next.bitWidth - clear.leadingZeroBitCount
    }

    /// Nil at the end of the chain.
    private mutating func code(_ bytes: Span<UInt8>) -> Int? {
        while available < width {
            if left == 0 {
                guard let length = bytes.byte(at: offset), length > 0 else { return nil }
                left = Int(length)
                offset += 1
            }
            guard let byte = bytes.byte(at: offset) else { return nil }
            buffer |= UInt32(byte) << UInt32(available)
            available += 8
            offset += 1
            left -= 1
        }
        defer {
            buffer >>= UInt32(width)
            available -= width
        }
        return Int(buffer & (1 << UInt32(width) - 1))
    }

    /// Nil for the end code and for one that is none.
    private mutating func pixels(of code: Int) -> Int? {
        if code == clear {
            next = clear + 2
            width = next.bitWidth - clear.leadingZeroBitCount
            former = nil
            return 0
        }
        guard let former else {
            guard code < clear else { return nil }
            self.former = code
            return 1
        }
        guard code != clear + 1, code < next || code == next && next < 4_096 else { return nil }
        if next < 4_096 {
            lengths[next] = lengths[former] + 1
            next += 1
            if next == 1 << width, width < 12 { width += 1 }
        }
        self.former = code
        return lengths[code]
    }
}
