/// How a sound or film type is published: its extension and its uniform type identifier.
public struct ClipForm: Equatable, Sendable {
    /// Without the dot.
    public var fileExtension: String
    public var uti: String
    /// Whether the receiver's documents name the type; if not, recent systems take it all the same.
    public var isDocumented: Bool

    /// Nil for types that no receiver takes.
    ///
    /// Source: the list of UNNotificationAttachment, and what iOS 26.1 was seen to take besides.
    public init?(_ type: MediaType) {
        switch type {
        case .aiff: self.init("aiff", "public.aiff-audio", isDocumented: true)
        case .wav: self.init("wav", "com.microsoft.waveform-audio", isDocumented: true)
        case .mp3: self.init("mp3", "public.mp3", isDocumented: true)
        case .m4a: self.init("m4a", "public.mpeg-4-audio", isDocumented: true)
        case .mpeg: self.init("mpg", "public.mpeg", isDocumented: true)
        case .mpeg2Video: self.init("m2v", "public.mpeg-2-video", isDocumented: true)
        case .mp4: self.init("mp4", "public.mpeg-4", isDocumented: true)
        case .avi: self.init("avi", "public.avi", isDocumented: true)
        case .quickTime: self.init("mov", "com.apple.quicktime-movie", isDocumented: false)
        case .m4v: self.init("m4v", "com.apple.m4v-video", isDocumented: false)
        case .threeGPP: self.init("3gp", "public.3gpp", isDocumented: false)
        case .threeGPP2: self.init("3g2", "public.3gpp2", isDocumented: false)
        case .caf: self.init("caf", "com.apple.coreaudio-format", isDocumented: false)
        case .aifc: self.init("aifc", "public.aifc-audio", isDocumented: false)
        case .amr: self.init("amr", "org.3gpp.adaptive-multi-rate-audio", isDocumented: false)
        case .au: self.init("au", "public.au-audio", isDocumented: false)
        case .ac3: self.init("ac3", "public.ac3-audio", isDocumented: false)
        case .eac3: self.init("eac3", "public.enhanced-ac3-audio", isDocumented: false)
        default: return nil
        }
    }

    /// The types that have a form, in the order of `MediaType`.
    public static let types = MediaType.allCases.filter { ClipForm($0) != nil }

    private init(_ fileExtension: String, _ uti: String, isDocumented: Bool) {
        self.fileExtension = fileExtension
        self.uti = uti
        self.isDocumented = isDocumented
    }
}
