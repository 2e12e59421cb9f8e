internal import Glibc

/// A small matrix profile (ICC version 2) written here, so that a test knows what it says.
public struct MatrixProfile: Sendable {
    /// Primaries adapted to D50, one column a channel.
    public var primaries: [[Double]]
    /// The exponent of every channel's curve.
    public var gamma: Double
    /// Of the `desc` tag.
    public var name: String

    /// Adobe RGB's primaries.
    public static let wide = MatrixProfile(
        primaries: [[0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446]], gamma: 2.2,
        name: "Wide test RGB")

    /// The profile as a file has it.
    public var bytes: [UInt8] {
        var tags: [(String, [UInt8])] = [("desc", description), ("wtpt", xyz([0.9642, 1, 0.8249]))]
        for (index, channel) in ["r", "g", "b"].enumerated() {
            tags.append((channel + "XYZ", xyz(primaries[index])))
            let curve = bigEndian(0, 4) + bigEndian(1, 4) + bigEndian(Int(gamma * 256), 2) + [0, 0]
            tags.append((channel + "TRC", Array("curv".utf8) + curve))
        }
        var table = bigEndian(tags.count, 4)
        var data: [UInt8] = []
        for (tag, content) in tags {
            table += Array(tag.utf8) + bigEndian(132 + tags.count * 12 + data.count, 4) + bigEndian(content.count, 4)
            data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
        }
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: bigEndian(128 + table.count + data.count, 4))
        header.replaceSubrange(8..<12, with: [2, 0x10, 0, 0])
        header.replaceSubrange(12..<24, with: "mntrRGB XYZ ".utf8)
        header.replaceSubrange(36..<40, with: "acsp".utf8)
        header.replaceSubrange(68..<80, with: fixed(0.9642) + fixed(1) + fixed(0.8249))
        return header + table + data
    }

    /// The sRGB value, 0 to 255 and clipped, of a pixel in this profile.
    public func sRGB(_ pixel: [Double]) -> [Double] {
        let light = pixel.map { pow($0 / 255, gamma) }
        let xyz = (0..<3).map { row in (0..<3).reduce(0) { $0 + primaries[$1][row] * light[$1] } }
        // The inverse of sRGB's own matrix adapted to D50.
        let inverse = [
            [3.1339, -1.6169, -0.4906], [-0.9785, 1.9160, 0.0333], [0.0720, -0.2290, 1.4057],
        ]
        return inverse.map { row in
            let value = min(max(zip(row, xyz).map(*).reduce(0, +), 0), 1)
            return 255 * (value <= 0.003_130_8 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055)
        }
    }

    private var description: [UInt8] {
        Array("desc".utf8) + bigEndian(0, 4) + bigEndian(name.utf8.count + 1, 4) + Array(name.utf8) + [0]
            + [UInt8](repeating: 0, count: 78)
    }

    private func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + bigEndian(0, 4) + values.flatMap(fixed)
    }

    private func fixed(_ value: Double) -> [UInt8] {
        bigEndian(Int((value * 65_536).rounded()), 4)
    }
}
