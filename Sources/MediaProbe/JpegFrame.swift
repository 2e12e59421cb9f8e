internal import AttachmentRules

/// The frame header (SOFn) of a JPEG and what follows from it.
struct JpegFrame {
    struct Component {
        let identifier: UInt8
        let horizontal: Int
        let vertical: Int
        /// True once a scan has carried its DC coefficients; until then the decoder has nothing to show.
        var isCoded = false
    }

    let width: Int
    let height: Int
    let isProgressive: Bool
    /// At most four.
    var components: [Component] = []

    private let widestSampling: Int
    private let highestSampling: Int

    /// - Parameter body: the segment without its marker and length.
    init(marker: UInt8, _ bytes: Span<UInt8>, body: Range<Int>) throws(Rejection) {
        try Self.checkProcess(marker)
        isProgressive = marker == 0xC2
        guard body.count >= 6, let height = bytes.bigEndian16(at: body.lowerBound + 1),
            let width = bytes.bigEndian16(at: body.lowerBound + 3)
        else { throw .malformed("The JPEG's frame header is too short") }
        let precision = bytes[body.lowerBound]
        let componentCount = Int(bytes[body.lowerBound + 5])
        guard precision == 8 else { throw .unsupportedCoding("The JPEG has \(precision) bits per sample") }
        guard height > 0 else { throw .unsupportedCoding("The JPEG gives its height only after the picture (DNL)") }
        guard width > 0, body.count == 6 + 3 * componentCount else {
            throw .malformed("The JPEG's frame header contradicts itself")
        }
        guard [1, 3, 4].contains(componentCount) else {
            throw .unsupportedCoding("The JPEG has \(componentCount) components")
        }
        for index in 0..<componentCount {
            let offset = body.lowerBound + 6 + 3 * index
            let sampling = Int(bytes[offset + 1])
            let component = Component(
                identifier: bytes[offset], horizontal: sampling >> 4, vertical: sampling & 15)
            guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical) else {
                throw .malformed("The JPEG has a sampling factor outside 1 to 4")
            }
            components.append(component)
        }
        self.width = width
        self.height = height
        widestSampling = components.map(\.horizontal).max() ?? 1
        highestSampling = components.map(\.vertical).max() ?? 1
    }

    private static func checkProcess(_ marker: UInt8) throws(Rejection) {
        switch marker {
        case 0xC0, 0xC1, 0xC2: return
        // libjpeg reads zeros without a word where arithmetic data ends early: half a picture would pass for a whole one.
        case 0xC9, 0xCA: throw .unsupportedCoding("The JPEG is arithmetic-coded (SOF\(marker - 0xC0))")
        case 0xC3, 0xCB: throw .unsupportedCoding("The JPEG is lossless (SOF\(marker - 0xC0))")
        default: throw .unsupportedCoding("The JPEG is hierarchical (SOF\(marker - 0xC0))")
        }
    }

    /// Blocks of 8x8 samples that a scan of these components codes (T.81, A.2): an interleaved scan is padded to
    /// whole MCUs, a scan of one component is not.
    func blocks(of scan: [Int]) -> Int {
        if scan.count == 1 {
            let component = components[scan[0]]
            let columns = (width * component.horizontal).dividedRoundingUp(by: 8 * widestSampling)
            let rows = (height * component.vertical).dividedRoundingUp(by: 8 * highestSampling)
            return columns * rows
        }
        return scan.reduce(0) { $0 + paddedBlocks(of: components[$1]) }
    }

    /// Blocks of all components, padded to whole MCUs: what a decoder that keeps the coefficients allocates.
    var allBlocks: Int { components.reduce(0) { $0 + paddedBlocks(of: $1) } }

    private func paddedBlocks(of component: Component) -> Int {
        width.dividedRoundingUp(by: 8 * widestSampling) * height.dividedRoundingUp(by: 8 * highestSampling)
            * component.horizontal * component.vertical
    }

    /// How libjpeg reads the samples: JFIF before Adobe before the component identifiers.
    func colorModel(hasJfif: Bool, adobeTransform: UInt8?) -> MediaFacts.ColorModel {
        switch components.count {
        case 1: return .gray
        case 3:
            if hasJfif { return .ycbcr }
            if let adobeTransform { return adobeTransform == 0 ? .rgb : .ycbcr }
            return components.map(\.identifier) == Array("RGB".utf8) ? .rgb : .ycbcr
        default: return adobeTransform ?? 0 == 0 ? .cmyk : .ycck
        }
    }
}

/// The scan header (SOS) of a JPEG.
struct JpegScan {
    /// Indices into the frame's components.
    let components: [Int]
    let spectralStart: UInt8
    let spectralEnd: UInt8

    init(_ bytes: Span<UInt8>, body: Range<Int>, frame: JpegFrame) throws(Rejection) {
        guard let count = bytes.byte(at: body.lowerBound).map({ Int($0) }), (1...4).contains(count),
            body.count == 4 + 2 * count
        else { throw .malformed("A scan header of the JPEG has the wrong length") }
        spectralStart = bytes[body.upperBound - 3]
        spectralEnd = bytes[body.upperBound - 2]
        var components: [Int] = []
        for index in 0..<count {
            let selector = bytes[body.lowerBound + 1 + 2 * index]
            // T.81, B.2.3 wants the frame's order; that also settles which is meant when two share an identifier.
            let unused = (components.last.map { $0 + 1 } ?? 0)..<frame.components.count
            guard let match = unused.first(where: { frame.components[$0].identifier == selector }) else {
                throw .malformed("A scan of the JPEG names component \(selector) where its frame has none")
            }
            components.append(match)
        }
        self.components = components
        guard !frame.isProgressive || hasSoundSpectrum else {
            throw .malformed("A progressive scan of the JPEG has impossible parameters")
        }
        let samples = components.reduce(0) { $0 + frame.components[$1].horizontal * frame.components[$1].vertical }
        guard count == 1 || samples <= 10 else {
            throw .malformed("A scan of the JPEG has more than 10 blocks per MCU")
        }
    }

    /// T.81, G.1.1.1: DC alone, or AC of one component.
    private var hasSoundSpectrum: Bool {
        if spectralStart == 0 { return spectralEnd == 0 }
        return spectralStart <= spectralEnd && spectralEnd <= 63 && components.count == 1
    }

    /// The fewest bits of entropy data that can code this scan, or 0 where there is no sound bound.
    ///
    /// A Huffman code has at least one bit. A sequential block needs two codes (its DC, and an end of block or AC),
    /// a progressive DC scan one code or one correction bit a block. A progressive AC scan may skip 32,767 blocks
    /// with one code: no bound.
    func fewestBits(in frame: JpegFrame) -> Int {
        if frame.isProgressive, spectralStart > 0 { return 0 }
        return frame.blocks(of: components) * (frame.isProgressive ? 1 : 2)
    }
}
