public import AttachmentRules

/// What the bytes of a rendition say about it.
public struct RenditionFacts: Equatable, Sendable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    public var isProgressive: Bool

    public init(width: Int, height: Int, isProgressive: Bool) {
        self.width = width
        self.height = height
        self.isProgressive = isProgressive
    }
}

/// Reads a rendition once more before it is published, and trusts neither the encoder nor the process it ran in.
///
/// Allowed are SOI, a JFIF APP0 without thumbnail, DQT, SOF0 or SOF2, DHT, SOS and EOI, each exactly as long as its
/// content, with nothing between them and nothing after EOI: there is no room for metadata to hide in. And every code of
/// every scan is stepped over, so that the phone's decoder gets a picture that is whole, and never one that is malformed.
public struct RenditionAudit {
    private let mostPixels: Int
    private var offset = 2
    private var frame: JpegFrame?
    private var walk: EntropyWalk?
    /// The selectors of the quantisation tables that there are, and those that the frame's components use.
    private var quantizers: Set<UInt8> = []
    private var usedQuantizers: Set<UInt8> = []
    /// By class and selector, as in the table's first byte.
    private var codes: [UInt8: JpegCode] = [:]

    /// The facts of a rendition that holds only what it may.
    ///
    /// - Parameter mostPixels: those that were announced. A header that claims more is refused before memory is taken for
    ///   them.
    /// - Throws: `Rejection` with the code `bad-reply`: rule DIM002 for more pixels, rule COL002 for anything beside the picture or a picture that
    ///   is not whole, rule COL001 when it is not 8-bit YCbCr with 4:2:0 sampling.
    public static func examine(_ bytes: Span<UInt8>, mostPixels: Int) throws(Rejection) -> RenditionFacts {
        var audit = RenditionAudit(mostPixels: mostPixels)
        guard bytes.has([0xFF, 0xD8], at: 0) else { throw Self.notStripped("does not start with SOI") }
        while try audit.readSegment(bytes) {}
        guard audit.offset == bytes.count else {
            throw Self.notStripped("has \(bytes.count - audit.offset) bytes after its end")
        }
        guard let frame = audit.frame, audit.walk?.isWhole == true else {
            throw Self.notStripped("ends without a whole picture")
        }
        return RenditionFacts(width: frame.width, height: frame.height, isProgressive: frame.isProgressive)
    }

    private init(mostPixels: Int) {
        self.mostPixels = mostPixels
    }

    /// Reads one segment; false after EOI.
    private mutating func readSegment(_ bytes: Span<UInt8>) throws(Rejection) -> Bool {
        guard bytes.byte(at: offset) == 0xFF, let code = bytes.byte(at: offset + 1) else {
            throw Self.notStripped("has bytes between its segments or ends early at offset \(offset)")
        }
        if code == 0xD9 {
            offset += 2
            return false
        }
        guard let length = bytes.bigEndian16(at: offset + 2), length >= 2, offset + 2 + length <= bytes.count else {
            throw Self.notStripped("has a segment that runs past its end at offset \(offset)")
        }
        let body = offset + 4..<offset + 2 + length
        switch code {
        case 0xE0 where offset == 2 && Self.isPlainJfif(bytes, body): break
        case 0xDB where readQuantizers(bytes, body): break
        case 0xC4 where readCodes(bytes, body): break
        case 0xC0 where frame == nil, 0xC2 where frame == nil: try readFrame(code, bytes, body)
        case 0xDA:
            offset = try readScan(bytes, body)
            return true
        default:
            let name = String(code, radix: 16, uppercase: true)
            throw Self.notStripped("holds a segment FF\(name) at offset \(offset) that it may not hold")
        }
        offset = body.upperBound
        return true
    }

    /// JFIF without a thumbnail.
    private static func isPlainJfif(_ bytes: Span<UInt8>, _ body: Range<Int>) -> Bool {
        body.count == 14 && bytes.has("JFIF\0", at: body.lowerBound) && bytes.has([0, 0], at: body.upperBound - 2)
    }

    /// Tables of 64 bytes (or words), none of them zero, and nothing else.
    private mutating func readQuantizers(_ bytes: Span<UInt8>, _ body: Range<Int>) -> Bool {
        var position = body.lowerBound
        while position < body.upperBound {
            let selector = bytes[position]
            let width = 1 + Int(selector >> 4)
            let end = position + 1 + 64 * width
            guard selector & 0x0F < 4, width <= 2, end <= body.upperBound else { return false }
            for value in stride(from: position + 1, to: end, by: width) {
                guard bytes[value] != 0 || width == 2 && bytes[value + 1] != 0 else { return false }
            }
            quantizers.insert(selector & 0x0F)
            position = end
        }
        return !body.isEmpty
    }

    /// Codes with as many symbols as their counts say and nothing else.
    private mutating func readCodes(_ bytes: Span<UInt8>, _ body: Range<Int>) -> Bool {
        var position = body.lowerBound
        while position < body.upperBound {
            let selector = bytes[position]
            position += 1
            guard selector & 0x0F < 4, selector >> 4 <= 1,
                let code = JpegCode(bytes, at: &position, end: body.upperBound, isDC: selector >> 4 == 0)
            else { return false }
            codes[selector] = code
        }
        return !body.isEmpty
    }

    private mutating func readFrame(_ code: UInt8, _ bytes: Span<UInt8>, _ body: Range<Int>) throws(Rejection) {
        let frame: JpegFrame
        do throws(Rejection) {
            frame = try JpegFrame(marker: code, bytes, body: body)
        } catch { throw Self.notSRGB("has a frame header that is not that of an 8-bit picture") }
        guard frame.width * frame.height <= mostPixels else {
            throw Self.refusal(.notResized, "is \(frame.width)x\(frame.height), not as planned and announced")
        }
        let samplings = frame.components.map { [$0.horizontal, $0.vertical] }
        guard samplings == [[2, 2], [1, 1], [1, 1]], frame.components.map(\.identifier) == [1, 2, 3] else {
            throw Self.notSRGB("is not YCbCr with 4:2:0 sampling")
        }
        usedQuantizers = Set(frame.components.indices.map { bytes[body.lowerBound + 6 + 3 * $0 + 2] })
        self.frame = frame
        walk = EntropyWalk(frame)
    }

    /// Returns the offset of the marker after the scan's entropy data.
    private mutating func readScan(_ bytes: Span<UInt8>, _ body: Range<Int>) throws(Rejection) -> Int {
        guard let frame else { throw Self.notStripped("has a scan before its frame header") }
        let scan: JpegScan
        do throws(Rejection) {
            scan = try JpegScan(bytes, body: body, frame: frame)
        } catch { throw Self.notStripped("has a scan header that does not fit its frame") }
        guard usedQuantizers.isSubset(of: quantizers) else {
            throw Self.notStripped("has a scan before its quantisation tables")
        }
        let used = scan.components.indices.map { place in
            let selector = bytes[body.lowerBound + 2 + 2 * place]
            return EntropyWalk.Codes(dc: codes[selector >> 4], ac: codes[0x10 | selector & 0x0F])
        }
        guard let end = bytes.nextJpegMarker(from: body.upperBound),
            walk?.walk(
                scan, approximation: bytes[body.upperBound - 1], codes: used, data: body.upperBound..<end, of: bytes)
                == true
        else { throw Self.notStripped("has a scan that is not whole at offset \(offset)") }
        return end
    }

    private static func notStripped(_ what: String) -> Rejection { refusal(.notStripped, what) }

    private static func notSRGB(_ what: String) -> Rejection { refusal(.notSRGB, what) }

    private static func refusal(_ rule: Rule, _ what: String) -> Rejection {
        Rejection(
            .badReply, rule: rule, stage: .inspect,
            "The rendition \(what), so it is not published; report this with the source file.")
    }
}
