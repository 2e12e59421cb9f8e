/// What a file is, decided from its content and never from its name; raw values are MIME types.
public enum MediaType: String, Codable, Sendable, CaseIterable {
    // Pictures that may go on to a decoder.
    case jpeg = "image/jpeg"
    case png = "image/png"
    case apng = "image/apng"
    case gif = "image/gif"
    case webp = "image/webp"
    case heic = "image/heic"
    case heif = "image/heif"
    case avif = "image/avif"
    case tiff = "image/tiff"
    // Pictures, drawings and pages that are refused by name.
    case svg = "image/svg+xml"
    case bmp = "image/bmp"
    case ico = "image/vnd.microsoft.icon"
    case jpeg2000 = "image/jp2"
    case jpegXL = "image/jxl"
    case psd = "image/vnd.adobe.photoshop"
    case rawPhoto = "image/x-raw"
    case dicom = "application/dicom"
    case targa = "image/x-tga"
    case vipsNative = "image/x-vips"
    case openEXR = "image/x-exr"
    case fits = "image/fits"
    case netpbm = "image/x-portable-anymap"
    case postScript = "application/postscript"
    case pdf = "application/pdf"
    case html = "text/html"
    case zip = "application/zip"
    case gzip = "application/gzip"
    // Films.
    case mp4 = "video/mp4"
    case quickTime = "video/quicktime"
    case threeGPP = "video/3gpp"
    case threeGPP2 = "video/3gpp2"
    case m4v = "video/x-m4v"
    case avi = "video/x-msvideo"
    case mpeg = "video/mpeg"
    /// A video stream of its own, without a container.
    case mpeg2Video = "video/x-mpeg2-es"
    case mpegTransport = "video/mp2t"
    case webm = "video/webm"
    case matroska = "video/x-matroska"
    case flashVideo = "video/x-flv"
    case asf = "video/x-ms-asf"
    // Sound.
    case wav = "audio/x-wav"
    case aiff = "audio/aiff"
    /// AIFF-C, which may be compressed.
    case aifc = "audio/x-aifc"
    case au = "audio/basic"
    case ac3 = "audio/ac3"
    case eac3 = "audio/eac3"
    case mp3 = "audio/mpeg"
    case aac = "audio/aac"
    case m4a = "audio/mp4"
    case caf = "audio/x-caf"
    case ogg = "audio/ogg"
    case flac = "audio/flac"
    case amr = "audio/amr"
    case midi = "audio/midi"

    /// True for the picture types that the pipeline decodes.
    public var isDecodablePicture: Bool {
        switch self {
        case .jpeg, .png, .apng, .gif, .webp, .heic, .heif, .avif, .tiff: true
        default: false
        }
    }

    /// The kind of attachment that a receiver sees in it; nil for what is none.
    public var family: Family? {
        if isDecodablePicture { return .image }
        if rawValue.hasPrefix("audio/") { return .audio }
        if rawValue.hasPrefix("video/") { return .movie }
        return nil
    }

    /// The families that limits are set for.
    public enum Family: String, Codable, Sendable {
        case image, audio, movie
    }
}
