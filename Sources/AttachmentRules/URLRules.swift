/// The rules URL001 to URL004: what an SDK makes of an URL before it is asked for.
public enum URLRules {
    /// The longest URL, in bytes (Netcore's limit, the smallest that is published).
    public static let mostBytes = 1000

    /// - Parameters:
    ///   - mediaType: of the file; nil where it is not known, and any type of the profile will do.
    ///   - provider: whose SDK reads it; nil where that is not known.
    public static func findings(
        url: String, mediaType: MediaType?, profile: Profile, provider: Provider? = nil
    ) -> [Finding] {
        var list = FindingList(profile)
        let shown = Push.quoted(url)
        let parts = Parts(url)
        if parts.scheme != "https" {
            list.add(
                .notHTTPS, .url, "\(shown) is no https URL, and App Transport Security stops others; serve it by https")
        }
        let types = types(mediaType, profile, provider)
        let known = types.flatMap(\.extensions)
        if let given = parts.fileExtension {
            if !known.contains(given) {
                list.add(
                    .urlExtension, .url,
                    "the path of \(shown) ends in \(Push.quoted("." + given)); it has to end in \(words(for: known))"
                )
            }
        } else {
            list.add(
                .urlExtension, .url, "the path of \(shown) has no extension; it has to end in \(words(for: known))")
        }
        if parts.hasQuery || parts.hasFragment {
            list.add(
                .urlQuery, .url, as: provider == .pinpoint ? .error : nil,
                "\(shown) has a \(parts.hasQuery ? "query" : "fragment"), in which Pinpoint's extension looks for the "
                    + "type; leave it out")
        }
        if let fault = fault(in: url, parts) { list.add(.badURL, .url, "\(shown) \(fault)") }
        return list.findings
    }

    /// The types that may be there.
    private static func types(_ type: MediaType?, _ profile: Profile, _ provider: Provider?) -> [MediaType] {
        let isPictureAsked = provider?.showsPicturesOnly ?? false
        if let type, type.family == .image || !isPictureAsked { return [type] }
        return MediaType.allCases.filter {
            profile.accepts.contains($0) && ($0.family == .image || !isPictureAsked)
        }
    }

    private static func words(for extensions: [String]) -> String {
        extensions.count > 4 ? "a known extension" : extensions.map { ".\($0)" }.joined(separator: " or ")
    }

    private static func fault(in url: String, _ parts: Parts) -> String? {
        if url.utf8.count > mostBytes { return "has \(url.utf8.count) bytes of \(mostBytes); use a shorter one" }
        // Everything that RFC 3986 leaves out.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !url.contains(where: { #""<>\^`{|}"#.contains($0) })
        else { return "has blanks or characters that no URL has; escape them by per cent" }
        return parts.host.isEmpty ? "names no host; give the whole URL" : nil
    }

    /// An URL in parts, taken apart as far as the rules need it.
    private struct Parts {
        var scheme = ""
        var host = ""
        var path = ""
        var hasQuery = false
        var hasFragment = false

        init(_ url: String) {
            guard let mark = url.firstRange(of: "://") else {
                path = url
                return
            }
            scheme = url[..<mark.lowerBound].lowercased()
            var rest = url[mark.upperBound...]
            if let fragment = rest.firstIndex(of: "#") {
                hasFragment = true
                rest = rest[..<fragment]
            }
            if let query = rest.firstIndex(of: "?") {
                hasQuery = true
                rest = rest[..<query]
            }
            let slash = rest.firstIndex(of: "/") ?? rest.endIndex
            let authority = rest[..<slash]
            let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
            // The colons of an IPv6 address stand in brackets.
            host = place.hasPrefix("[") ? String(place) : String(place.prefix { $0 != ":" })
            path = String(rest[slash...])
        }

        /// What the path's last name ends in after its last dot, as it is spelt.
        var fileExtension: String? {
            guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last,
                let dot = name.lastIndex(of: "."), name.index(after: dot) < name.endIndex
            else { return nil }
            return String(name[name.index(after: dot)...])
        }
    }
}
