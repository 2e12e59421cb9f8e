internal import CGLib
internal import Glibc

/// What `base-url` takes.
enum BaseURL {
    /// Keeps the URL without slashes at its end, so that joining it with a path makes exactly one.
    static func apply(_ settings: inout ServeSettings, _ words: [String]) -> Bool {
        guard let text = words.first, !text.isEmpty else {
            settings.baseURL = nil
            return true
        }
        guard isAccepted(text) else { return false }
        var url = text[...]
        while url.hasSuffix("/") { url.removeLast() }
        settings.baseURL = String(url)
        return true
    }

    private static func isAccepted(_ text: String) -> Bool {
        // What RFC 3986 leaves out; GLib lets some of it pass.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { #""<>\^`{|}"#.contains($0) })
        else { return false }
        guard let uri = g_uri_parse(text, G_URI_FLAGS_NONE, nil) else { return false }
        defer { g_uri_unref(uri) }
        guard g_uri_get_query(uri) == nil, g_uri_get_fragment(uri) == nil, g_uri_get_userinfo(uri) == nil,
            let hostText = g_uri_get_host(uri), let schemeText = g_uri_get_scheme(uri)
        else { return false }
        // App Transport Security lets no extension load anything else.
        return strlen(hostText) > 0 && String(cString: schemeText).lowercased() == "https"
    }
}

extension ServeSettings {
    /// The URL of what lies at `path` below the outbox's `media`; nil without a base.
    ///
    /// - Parameter path: needs no escaping, as that of a result does not.
    public func url(of path: String) -> String? {
        baseURL.map { $0 + "/" + path }
    }
}
