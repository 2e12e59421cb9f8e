/// One attachment that a payload is to name.
public struct PushAttachment: Equatable, Sendable {
    public var url: String
    public var mediaType: MediaType
    /// Tells the attachments of one push apart.
    public var identifier: String
    /// Lower-case hex; nil where it is not known.
    public var sha256: String?
    public var bytes: Int?
    /// What the app hands to the system beside the file.
    public var options: AttachmentOptions?
    /// The still picture of a film, for receivers that show pictures only; nil where there is none.
    public var still: Still?

    /// A picture that stands for a film.
    public struct Still: Equatable, Sendable {
        public var url: String
        public var mediaType: MediaType
        /// Lower-case hex; nil where it is not known.
        public var sha256: String?
        public var bytes: Int?

        public init(url: String, mediaType: MediaType) {
            self.url = url
            self.mediaType = mediaType
        }
    }

    /// The same where only pictures are shown: itself, or its still picture; nil where it has none.
    var asPicture: PushAttachment? {
        if mediaType.family == .image { return self }
        guard let still else { return nil }
        var picture = PushAttachment(url: still.url, mediaType: still.mediaType, identifier: identifier)
        picture.sha256 = still.sha256
        picture.bytes = still.bytes
        return picture
    }

    /// The same with what a push says of all thumbnails; as its manifest has it where that says nothing.
    func hidden(_ isHidden: Bool?) -> PushAttachment {
        guard let isHidden else { return self }
        var other = self
        if other.options == nil, let uti = mediaType.uti {
            other.options = AttachmentOptions(identifier: identifier, typeHint: uti)
        }
        other.options?.thumbnailHidden = isHidden
        return other
    }

    public init(url: String, mediaType: MediaType, identifier: String) {
        self.url = url
        self.mediaType = mediaType
        self.identifier = identifier
    }

    /// The attachments that a manifest tells of: those of a group in the order of its push, or the one file.
    ///
    /// - Parameter baseURL: what a path below the outbox's `media` is appended to where the manifest has no URL, without
    ///   a slash at its end.
    public static func list(of manifest: Manifest, baseURL: String?) throws(Unusable) -> [PushAttachment] {
        if let rejection = manifest.rejection {
            throw .notPublished(
                Rejection(
                    rejection.code, rule: rejection.rule, stage: rejection.stage,
                    "\(manifest.name) was refused: \(rejection.message)"))
        }
        if let members = manifest.attachments {
            var list: [PushAttachment] = []
            for member in members { list += try Self.list(of: member, baseURL: baseURL) }
            return list
        }
        guard manifest.status == .published, let output = manifest.output else {
            throw .notPublished(
                Rejection(
                    .badPush, rule: .mediaNotPublished, stage: .push,
                    "\(manifest.name) is \(manifest.status.rawValue) and not published; make it first"))
        }
        guard let url = output.url ?? url(of: output.path, below: baseURL) else {
            throw .withoutURL(name: manifest.name)
        }
        let digits = String((output.sha256 ?? manifest.id ?? "").prefix(16))
        var attachment = PushAttachment(
            url: url, mediaType: output.mediaType,
            identifier: manifest.attachment?.identifier ?? (digits.isEmpty ? manifest.name : digits))
        attachment.sha256 = output.sha256
        attachment.bytes = output.bytes
        attachment.options = manifest.attachment
        if let poster = manifest.poster, let url = poster.url ?? Self.url(of: poster.path, below: baseURL) {
            var still = Still(url: url, mediaType: poster.mediaType)
            still.sha256 = poster.sha256
            still.bytes = poster.bytes
            attachment.still = still
        }
        return [attachment]
    }

    /// Why a manifest makes no attachment.
    public enum Unusable: Error, Equatable, Sendable {
        /// It tells of no published file, and why.
        case notPublished(Rejection)
        /// It has no URL, and there is no base for one.
        case withoutURL(name: String)
    }

    private static func url(of path: String?, below base: String?) -> String? {
        guard let path, let base else { return nil }
        let below = path.hasPrefix("media/") ? path.dropFirst("media/".count) : path[...]
        return base + "/" + below.utf8.map(escaped).joined()
    }

    /// As RFC 3986 leaves it, or by per cent.
    private static func escaped(_ byte: UInt8) -> String {
        let character = Character(Unicode.Scalar(byte))
        if character.isASCII, character.isLetter || character.isNumber || "-._~/".contains(character) {
            return String(character)
        }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
