/// What a web server is to say of a result, by the rules URL005 to URL007.
public struct ServedHeaders: Codable, Equatable, Sendable {
    /// Without parameters: SDKs take the type from it.
    public var contentType: String
    /// A name that is a digest never stands for other bytes (RFC 8246).
    public var cacheControl = "public, max-age=31536000, immutable"
    /// Quoted, as in the header.
    public var entityTag: String
    /// In bytes.
    public var contentLength: Int

    /// Nil for a result of which nothing is known but its size in pixels.
    public init?(_ output: Manifest.Output) {
        guard let sha256 = output.sha256, let bytes = output.bytes else { return nil }
        contentType = output.mediaType.servedType
        entityTag = "\"\(sha256)\""
        contentLength = bytes
    }

    enum CodingKeys: String, CodingKey {
        case contentType = "content_type"
        case cacheControl = "cache_control"
        case entityTag = "etag"
        case contentLength = "content_length"
    }
}
