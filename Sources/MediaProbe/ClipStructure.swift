internal import AttachmentRules

/// Whether a sound or film is as long as its own outermost parts say. What is in them is libavformat's matter, which reads
/// what is there and does not mind what is not.
enum ClipStructure {
    /// True when a part of it tells of more bytes than there are.
    static func isCut(_ bytes: Span<UInt8>, as type: MediaType) -> Bool {
        switch type {
        case .mp4, .m4a, .m4v, .quickTime, .threeGPP, .threeGPP2: isIsoCut(bytes)
        case .wav: isWaveCut(bytes)
        case .avi: isAviCut(bytes)
        case .aiff, .aifc: isAiffCut(bytes)
        case .caf: isCafCut(bytes)
        case .au: isAuCut(bytes)
        case .mpeg: isProgramStreamCut(bytes)
        default: false
        }
    }

    private static func isIsoCut(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        while offset < bytes.count {
            switch IsoBox.read(bytes, at: offset, end: bytes.count) {
            case .box(let box): offset = box.body.upperBound
            case .pastEnd: return true
            // Bytes behind the last box.
            case .none: return false
            }
        }
        return false
    }

    /// What a program writes that does not know the length yet.
    private static let unknownSizes = [0, 0xFFFF_FFFF]

    private static func isWaveCut(_ bytes: Span<UInt8>) -> Bool {
        guard let size = bytes.littleEndian32(at: 4) else { return true }
        // The sizes of RF64 are in its first chunk, and those in its header say nothing.
        let wide = bytes.has("ds64", at: 12)
        let whole = wide ? bytes.littleEndian64(at: 20) : UInt64(size)
        guard let whole else { return true }
        var offset = 12
        while let name = bytes.fourCC(at: offset), let size = bytes.littleEndian32(at: offset + 4) {
            var length = size
            if name == "data" {
                if wide, let wideSize = bytes.littleEndian64(at: 28) {
                    length = Int(clamping: wideSize)
                } else if unknownSizes.contains(size) {
                    return false
                }
            }
            guard length <= bytes.count - offset - 8 else { return true }
            offset += 8 + length + length % 2
        }
        return (wide || !unknownSizes.contains(size)) && !fits(whole, bytes)
    }

    /// Large ones are several RIFFs, one behind the other.
    private static func isAviCut(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        while bytes.has("RIFF", at: offset), let size = bytes.littleEndian32(at: offset + 4) {
            guard !unknownSizes.contains(size) else { return false }
            guard size - 1 <= bytes.count - offset - 8 else { return true }
            offset += 8 + size + size % 2
        }
        return offset == 0
    }

    private static func isAiffCut(_ bytes: Span<UInt8>) -> Bool {
        guard let size = bytes.bigEndian32(at: 4), fits(UInt64(size), bytes) else { return true }
        var offset = 12
        while bytes.fourCC(at: offset) != nil, let size = bytes.bigEndian32(at: offset + 4) {
            guard size <= bytes.count - offset - 8 else { return true }
            offset += 8 + size + size % 2
        }
        return false
    }

    private static func isCafCut(_ bytes: Span<UInt8>) -> Bool {
        var offset = 8
        while bytes.fourCC(at: offset) != nil, let size = bytes.bigEndian64(at: offset + 4) {
            // The last chunk may be as long as what is left.
            if size == .max { return false }
            guard size <= UInt64(bytes.count - offset - 12) else { return true }
            offset += 12 + Int(size)
        }
        return false
    }

    private static func isAuCut(_ bytes: Span<UInt8>) -> Bool {
        guard let start = bytes.bigEndian32(at: 4), let size = bytes.bigEndian32(at: 8) else { return true }
        return size != 0xFFFF_FFFF && start + size > bytes.count
    }

    /// Packs of MPEG-1 or MPEG-2 and the packets between them (ISO/IEC 13818-1, 2.5.3).
    private static func isProgramStreamCut(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        while bytes.has([0, 0, 1], at: offset), let code = bytes.byte(at: offset + 3) {
            switch code {
            case 0xB9: return false
            case 0xBA:
                guard let kind = bytes.byte(at: offset + 4) else { return true }
                guard kind >> 6 == 1 else {
                    offset += 12
                    continue
                }
                guard let stuffing = bytes.byte(at: offset + 13) else { return true }
                offset += 14 + Int(stuffing & 7)
            default:
                guard let length = bytes.bigEndian16(at: offset + 4), length <= bytes.count - offset - 6 else {
                    return true
                }
                offset += 6 + length
            }
        }
        // Zeros between packets are padding; anything else is for the demuxer to find its way through.
        return false
    }

    /// Whether a file of a RIFF or FORM chunk of this size is there; its last byte of padding may be missing.
    private static func fits(_ size: UInt64, _ bytes: Span<UInt8>) -> Bool {
        size <= UInt64(bytes.count - 8) + 1
    }
}
