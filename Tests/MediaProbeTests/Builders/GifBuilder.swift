/// GIFs of one-pixel-wide data sub-blocks.
enum GifBuilder {
    static let trailer: [UInt8] = [0x3B]

    static func screen(width: Int = 4, height: Int = 3) -> [UInt8] {
        ascii("GIF89a") + little16(width) + little16(height) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    }

    static func control(isTransparent: Bool) -> [UInt8] { [0x21, 0xF9, 4, isTransparent ? 1 : 0, 0, 0, 0, 0] }

    static func frame(
        x: Int = 0, y: Int = 0, width: Int = 4, height: Int = 3, flags: UInt8 = 0, codeSize: UInt8 = 2,
        data: [UInt8] = [0x44, 0x01]
    ) -> [UInt8] {
        let sides = little16(x) + little16(y) + little16(width) + little16(height)
        return [0x2C] + sides + [flags, codeSize] + (data.isEmpty ? [] : [UInt8(data.count)] + data) + [0]
    }

    static func file(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } + trailer }

    static let still = file(screen(), frame())
    static let animated = file(
        screen(), [0x21, 0xFF, 11] + ascii("NETSCAPE2.0") + [3, 1, 0, 0, 0], control(isTransparent: true), frame(),
        control(isTransparent: false), frame(width: 2))
}
