/// A media file as its manifest tells of it, and as it lies in the outbox.
public struct PublishedMedia: Equatable, Sendable {
    /// The file's own name.
    public var file: String
    /// Where receivers get it; nil where that is not known, and the name in an URL decides.
    public var url: String?
    /// Lower-case hex.
    public var sha256: String?
    public var bytes: Int?
    public var mediaType: MediaType
    /// Below the outbox; nil where that is not known.
    public var path: String?
    /// What lies there now; nil where nobody looked.
    public var now: State?

    /// What a look at the outbox found.
    public enum State: Equatable, Sendable {
        case missing
        case present(bytes: Int, sha256: String)
    }

    private init?(_ output: Manifest.Output) {
        guard let file = output.file ?? output.path.map({ $0.split(separator: "/").last.map(String.init) ?? $0 })
        else { return nil }
        self.file = file
        url = output.url
        sha256 = output.sha256
        bytes = output.bytes
        mediaType = output.mediaType
        path = output.path
    }

    /// The media of a manifest, the still pictures of films among them: those of its members, if it is a group's.
    public static func list(of manifest: Manifest) -> [PublishedMedia] {
        (manifest.attachments ?? [manifest]).filter { $0.status == .published }
            .flatMap { [$0.output, $0.poster].compactMap(\.self) }.compactMap { PublishedMedia($0) }
    }

    /// A file whose name is the SHA-256 of its content and its type's extension; nil for another name.
    ///
    /// - Parameter url: that ends in the name.
    public init?(contentAddressedBy url: String) {
        let names = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        guard names.count > 1, let name = names.last.map(String.init), let dot = name.firstIndex(of: "."),
            // It lies in a folder of its first two digits.
            names[names.count - 2] == name.prefix(2),
            let type = MediaType.named(String(name[name.index(after: dot)...])).first
        else { return nil }
        let digits = name[..<dot]
        guard digits.utf8.count == 64, digits.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            return nil
        }
        file = name
        self.url = url
        sha256 = String(digits)
        mediaType = type
        self.path = "media/\(digits.prefix(2))/\(name)"
    }

    /// Content-addressed names tell files apart wherever they are served.
    func isServed(at address: String) -> Bool {
        if let url { return url == address }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map { $0 == file } ?? false
    }

    /// What is wrong with it as it lies there, as the end of a sentence; nil for nothing.
    var fault: String? {
        switch now {
        case nil: return nil
        case .missing: return "is published, but its file is gone from the outbox; publish it again"
        case .present(let length, let digest):
            if let bytes, bytes != length { return "has \(length) bytes in the outbox, and \(bytes) were published" }
            if let sha256, sha256 != digest { return "has other bytes in the outbox than were published" }
            return nil
        }
    }
}
