extension MediaType {
    /// How far a notification attachment of this type is supported by Apple's systems.
    public enum Support: String, Codable, Sendable {
        /// Named in the table of UNNotificationAttachment.
        case documented
        /// Taken by iOS 26.1, in no document.
        case observed
        case none
    }

    /// The uniform type identifier; nil where there is none that systems declare.
    public var uti: String? { names.uti }

    /// The extension that files of this type are published with, lower-case, without its dot.
    public var preferredExtension: String { names.extensions[0] }

    /// Every extension that stands for the type, lower-case, the preferred one first.
    public var extensions: [String] { names.extensions }

    public var support: Support { names.support }

    /// The Content-Type to serve it with: what most SDKs know it by.
    ///
    /// OneSignal's map knows `audio/x-wav`, and an animated PNG is a PNG to everybody.
    public var servedType: String {
        switch self {
        case .apng: MediaType.png.rawValue
        case .mpeg2Video: MediaType.mpeg.rawValue
        default: rawValue
        }
    }

    /// The type that a uniform type identifier stands for; nil for one of other kinds of files.
    public init?(uti: String) {
        // Apple's older name, which the list of iOS 26.1 has too.
        if uti == "com.apple.m4a-audio" {
            self = .m4a
            return
        }
        guard let type = Self.allCases.first(where: { $0.uti == uti }) else { return nil }
        self = type
    }

    /// The types that a word of a setting names: an extension, or a MIME type. Empty for another word.
    public static func named(_ word: String) -> [MediaType] {
        allCases.filter { $0.extensions.contains(word) || $0.rawValue == word }
    }

    // The identifiers are those of Apple's UTCoreTypes.h and UniformTypeIdentifiers.
    private var names: (uti: String?, extensions: [String], support: Support) {
        switch self {
        case .jpeg: ("public.jpeg", ["jpg", "jpeg"], .documented)
        case .png, .apng: ("public.png", ["png"], .documented)
        case .gif: ("com.compuserve.gif", ["gif"], .documented)
        case .webp: ("org.webmproject.webp", ["webp"], .none)
        case .heic: ("public.heic", ["heic"], .observed)
        case .heif: ("public.heif", ["heif", "hif"], .none)
        case .avif: ("public.avif", ["avif"], .none)
        case .tiff: ("public.tiff", ["tiff", "tif"], .none)
        case .svg: ("public.svg-image", ["svg"], .none)
        case .bmp: ("com.microsoft.bmp", ["bmp"], .none)
        case .ico: ("com.microsoft.ico", ["ico"], .none)
        case .jpeg2000: ("public.jpeg-2000", ["jp2"], .none)
        case .jpegXL: ("public.jpeg-xl", ["jxl"], .none)
        case .psd: ("com.adobe.photoshop-image", ["psd"], .none)
        case .rawPhoto: ("public.camera-raw-image", ["dng"], .none)
        case .dicom: ("org.nema.dicom", ["dcm"], .none)
        case .targa: ("com.truevision.tga-image", ["tga"], .none)
        case .vipsNative: (nil, ["v"], .none)
        case .openEXR: ("com.ilm.openexr-image", ["exr"], .none)
        case .fits: (nil, ["fits"], .none)
        case .netpbm: (nil, ["pnm", "pbm", "pgm", "ppm"], .none)
        case .postScript: ("com.adobe.postscript", ["ps", "eps"], .none)
        case .pdf: ("com.adobe.pdf", ["pdf"], .none)
        case .html: ("public.html", ["html", "htm"], .none)
        case .zip: ("public.zip-archive", ["zip"], .none)
        case .gzip: ("org.gnu.gnu-zip-archive", ["gz"], .none)
        case .mp4: ("public.mpeg-4", ["mp4"], .documented)
        case .quickTime: ("com.apple.quicktime-movie", ["mov", "qt"], .observed)
        case .threeGPP: ("public.3gpp", ["3gp", "3gpp"], .observed)
        case .threeGPP2: ("public.3gpp2", ["3g2", "3gp2"], .observed)
        case .m4v: ("com.apple.m4v-video", ["m4v"], .observed)
        case .avi: ("public.avi", ["avi"], .documented)
        case .mpeg: ("public.mpeg", ["mpg", "mpeg"], .documented)
        case .mpeg2Video: ("public.mpeg-2-video", ["m2v"], .documented)
        case .mpegTransport: ("public.mpeg-2-transport-stream", ["ts", "mts", "m2ts"], .none)
        case .webm: ("org.webmproject.webm", ["webm"], .none)
        case .matroska: ("org.matroska.mkv", ["mkv"], .none)
        case .flashVideo: ("com.adobe.flash.video", ["flv"], .none)
        case .asf: ("com.microsoft.advanced-systems-format", ["wmv", "wma", "asf"], .none)
        case .wav: ("com.microsoft.waveform-audio", ["wav"], .documented)
        case .aiff: ("public.aiff-audio", ["aiff", "aif"], .documented)
        case .aifc: ("public.aifc-audio", ["aifc"], .observed)
        case .au: ("public.au-audio", ["au", "snd"], .observed)
        case .ac3: ("public.ac3-audio", ["ac3"], .observed)
        case .eac3: ("public.enhanced-ac3-audio", ["ec3", "eac3"], .observed)
        case .mp3: ("public.mp3", ["mp3"], .documented)
        case .aac: ("public.aac-audio", ["aac"], .none)
        case .m4a: ("public.mpeg-4-audio", ["m4a"], .documented)
        case .caf: ("com.apple.coreaudio-format", ["caf"], .observed)
        case .ogg: ("org.xiph.ogg-audio", ["ogg", "oga", "opus"], .none)
        case .flac: ("org.xiph.flac", ["flac"], .none)
        case .amr: ("org.3gpp.adaptive-multi-rate-audio", ["amr"], .observed)
        case .midi: ("public.midi-audio", ["mid", "midi"], .none)
        }
    }
}

extension MediaType.Family {
    /// The largest attachment of the family, in bytes; a file of exactly that length passes.
    ///
    /// Source: the table of Apple's UNNotificationAttachment. Whether its MB are 10^6 or 2^20 bytes is not known; these
    /// are safe either way.
    public var mostBytes: Int {
        switch self {
        case .image: 10_000_000
        case .audio: 5_000_000
        case .movie: 50_000_000
        }
    }
}
