internal import AttachmentRules

/// Types of the ISO base media family: by the brands of `ftyp`, or QuickTime's older files by their first boxes.
enum IsoBrands {
    /// Most compatible brands looked at; real files have up to a dozen.
    private static let mostBrands = 64

    static func type(of bytes: Span<UInt8>) -> MediaType? {
        var offset = 0
        // Padding may stand before the box that tells.
        for _ in 0..<4 {
            guard let size = bytes.bigEndian32(at: offset), let name = bytes.fourCC(at: offset + 4) else { return nil }
            switch name {
            case "ftyp": return size >= 16 || size == 0 ? typeByBrands(bytes, ftyp: offset, size: size) : nil
            case "moov": return size >= 16 || size <= 1 ? .quickTime : nil
            case "mdat", "pnot": return offset > 0 || isFollowedByBox(bytes, size) ? .quickTime : nil
            case "wide", "free", "skip":
                guard size >= 8 else { return nil }
                offset += size
            default: return nil
            }
        }
        return nil
    }

    /// `mdat` alone is four letters: it counts when it holds the file, or another QuickTime box follows it.
    private static func isFollowedByBox(_ bytes: Span<UInt8>, _ size: Int) -> Bool {
        if size == 1 { return true }
        guard size >= 8 else { return size == 0 }
        guard size < bytes.count, let name = bytes.fourCC(at: size + 4) else { return size >= bytes.count }
        return ["moov", "mdat", "free", "skip", "wide", "udta", "PICT", "uuid"].contains(name)
    }

    private static func typeByBrands(_ bytes: Span<UInt8>, ftyp: Int, size: Int) -> MediaType? {
        guard let major = bytes.fourCC(at: ftyp + 8) else { return nil }
        let end = min(size == 0 ? bytes.count : ftyp + size, ftyp + 16 + 4 * mostBrands)
        var compatible: [FourCC] = []
        for offset in stride(from: ftyp + 16, to: end, by: 4) {
            if let brand = bytes.fourCC(at: offset) { compatible.append(brand) }
        }
        if let type = pictureType(major, compatible) { return type }
        if let type = filmType(major) { return type }
        // A brand of a maker's own: what it claims to be compatible with decides.
        for brand in compatible {
            if let type = pictureType(brand, compatible) ?? filmType(brand) { return type }
        }
        return nil
    }

    private static func pictureType(_ brand: FourCC, _ compatible: [FourCC]) -> MediaType? {
        switch brand {
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .heic
        case "avif", "avis": return .avif
        case "crx ": return .rawPhoto
        case "jp2 ", "jpx ", "jpm ": return .jpeg2000
        case "jxl ": return .jpegXL
        case "mif1", "mif2", "mif3", "msf1", "miaf", "MiHB", "MiHE", "unif":
            // General forms: what it claims to be compatible with tells the coding.
            if compatible.contains("avif") || compatible.contains("avis") { return .avif }
            return compatible.contains("heic") || compatible.contains("heix") ? .heic : .heif
        case "j2ki", "j2is", "jpeg", "jpgs", "vvic", "vvis", "evbi", "evbs", "avci", "avcs": return .heif
        default: return nil
        }
    }

    private static func filmType(_ brand: FourCC) -> MediaType? {
        switch brand {
        case "qt  ": return .quickTime
        case "M4A ", "M4B ", "M4P ": return .m4a
        case "M4V ", "M4VH", "M4VP": return .m4v
        case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "mp71", "avc1",
            "hvc1", "av01", "dash", "cmfc", "MSNV", "mmp4", "f4v ", "F4V ", "NDSC", "NDSM", "XAVC", "dby1":
            return .mp4
        default:
            // 3gp4 to 3gp9, 3gs6, 3gr6, 3ge6, 3gg6 and so on, and 3g2a to 3g2c.
            guard brand.value >> 16 == 0x3367 else { return nil }
            return brand.value >> 8 & 0xFF == 0x32 ? .threeGPP2 : .threeGPP
        }
    }
}
