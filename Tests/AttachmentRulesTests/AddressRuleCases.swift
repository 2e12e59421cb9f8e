import AttachmentRules

/// The rules that an URL, a server's answer and attachment options are judged by.
enum AddressRuleCases {
    private static let name = "https://cdn.example/media/ab/abcd.jpg"

    private static func url(
        _ url: String, _ type: MediaType? = .jpeg, provider: Provider? = nil
    ) -> [Finding] {
        URLRules.findings(url: url, mediaType: type, profile: .ios, provider: provider)
    }

    private static func answer(
        _ status: Int = 200, type: String? = "image/jpeg", length: String? = "61234",
        caching: String? = "public, max-age=31536000, immutable", _ more: (String, String)...
    ) -> [Finding] {
        let lines =
            [("Content-Type", type), ("content-length", length), ("Cache-Control", caching)] + more.map { ($0.0, $0.1) }
        let text = lines.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.joined()
        return ResponseHead("HTTP/1.1 \(status) Whatever\r\n\(text)\r\nignored: too\r\n").map {
            ResponseRules.findings(of: $0, mediaType: .jpeg, bytes: 61_234, profile: .ios)
        } ?? []
    }

    private static func options(
        frames: Int = 1, _ change: (inout AttachmentOptions) -> Void
    ) -> [Finding] {
        var facts = AttachmentFacts(bytes: 1, mediaType: .gif)
        facts.picture = AttachmentFacts.Picture(width: 9, height: 9)
        facts.picture?.frames = frames
        return judged(facts, change)
    }

    private static func film(seconds: Int, _ change: (inout AttachmentOptions) -> Void) -> [Finding] {
        var facts = AttachmentFacts(bytes: 1, mediaType: .mp4)
        facts.clip = ClipFacts(durationMilliseconds: seconds * 1000)
        facts.clip?.video = ClipFacts.Video(codec: "h264", width: 9, height: 9, frames: 9)
        return judged(facts, change)
    }

    private static func judged(_ facts: AttachmentFacts, _ change: (inout AttachmentOptions) -> Void) -> [Finding] {
        var options = AttachmentOptions(identifier: "a", typeHint: "public.jpeg")
        change(&options)
        return OptionRules.findings(of: options, facts: facts, profile: .ios)
    }

    static let all: [RuleCase] = urls + answers + thumbnails

    private static let urls: [RuleCase] = [
        .passes(.notHTTPS, "https") { url("HTTPS://cdn.example/a.jpg") },
        .fails(.notHTTPS, "http", "App Transport Security") { url("http://cdn.example/a.jpg") },
        .fails(.notHTTPS, "a path", "no https URL") { url("media/a.jpg") },
        .passes(.urlExtension, "jpg") { url(name) },
        .passes(.urlExtension, "any that the profile takes") { url("https://a/b.mp4", nil) },
        .fails(.urlExtension, "JPG", #"ends in ".JPG"; it has to end in .jpg or .jpeg"#) { url("https://a/b.JPG") },
        .fails(.urlExtension, "png", ".png") { url("https://a/b.png") },
        .fails(.urlExtension, "none, but one in the host", "no extension") { url("https://a.jpg") },
        .fails(.urlExtension, "none, but one in a directory", "no extension") { url("https://a/b.jpg/c") },
        .fails(.urlExtension, "none, but one in the query", "no extension") { url("https://a/b?c=d.jpg") },
        .fails(.urlExtension, "a type that nobody takes", "a known extension") { url("https://a/b.webp", nil) },
        .passes(.urlQuery, "none") { url(name) },
        .warns(.urlQuery, "a query", "query") { url(name + "?width=3") },
        .warns(.urlQuery, "a fragment", "fragment") { url(name + "#a") },
        .fails(.urlQuery, "a query for Pinpoint", "Pinpoint") { url(name + "?width=3", provider: .pinpoint) },
        .passes(.badURL, "1000 bytes") { url("https://a/" + String(repeating: "b", count: 986) + ".jpg") },
        .fails(.badURL, "1001 bytes", "1001 bytes of 1000") {
            url("https://a/" + String(repeating: "b", count: 987) + ".jpg")
        },
        .fails(.badURL, "a letter that is not ASCII", "escape them") { url("https://a/é.jpg") },
        .fails(.badURL, "a blank", "escape them") { url("https://a/b c.jpg") },
        .fails(.badURL, "no host", "names no host") { url("https:///b.jpg") },
        .fails(.badURL, "a port alone", "names no host") { url("https://:8443/b.jpg") },
        .fails(.badURL, "a user alone", "names no host") { url("https://user:word@/b.jpg") },
        .passes(.badURL, "an address with its port") { url("https://[2001:db8::1]:8443/b.jpg") },
    ]

    private static let answers: [RuleCase] = [
        .passes(.servedType, "image/jpeg") { answer() },
        .passes(.servedType, "a fitting file name") {
            answer(200, ("Content-Disposition", "inline; filename=\"a.JPG\""))
        },
        .fails(.servedType, "parameters", "serve image/jpeg") { answer(type: "image/jpeg; charset=utf-8") },
        .fails(.servedType, "another type", #"is "application/octet-stream""#) {
            answer(type: "application/octet-stream")
        },
        .fails(.servedType, "none", #"is """#) { answer(type: nil) },
        .fails(.servedType, "another file name", #"names "a.bin""#) {
            answer(200, ("Content-Disposition", "attachment; filename=a.bin"))
        },
        .passes(.servedResponse, "200 with its length") { answer() },
        .warns(.servedResponse, "a redirect", "302, a redirect") { answer(302) },
        .warns(.servedResponse, "not found", "404, no success") { answer(404) },
        .warns(.servedResponse, "no length", "no Content-Length") { answer(length: nil) },
        .warns(.servedResponse, "another length", "61234 bytes") { answer(length: "61233") },
        .passes(.servedCaching, "for good") { answer(caching: "Immutable , MAX-AGE=31536001") },
        .warns(.servedCaching, "a day", "max-age=86400") { answer(caching: "max-age=86400, immutable") },
        .warns(.servedCaching, "not immutable", "serve public") { answer(caching: "max-age=31536000") },
        .warns(.servedCaching, "nothing", #"is """#) { answer(caching: nil) },
    ]

    private static let thumbnails: [RuleCase] = [
        .passes(.badClippingRectangle, "the middle") {
            options { $0.thumbnailClippingRectangle = UnitRectangle(x: 0.125, y: 0, width: 0.75, height: 1) }
        },
        .passes(.badClippingRectangle, "thirds, which do not add up exactly") {
            options { $0.thumbnailClippingRectangle = UnitRectangle(x: 0.7, y: 0.9, width: 0.3, height: 0.1) }
        },
        .fails(.badClippingRectangle, "beyond the edge", "(0.5, 0.0, 0.6, 1.0)") {
            options { $0.thumbnailClippingRectangle = UnitRectangle(x: 0.5, y: 0, width: 0.6, height: 1) }
        },
        .fails(.badClippingRectangle, "in pixels", "unit square") {
            options { $0.thumbnailClippingRectangle = UnitRectangle(x: 0, y: 0, width: 600, height: 600) }
        },
        .fails(.badClippingRectangle, "without an area", "unit square") {
            options { $0.thumbnailClippingRectangle = UnitRectangle(x: 0, y: 0, width: 0, height: 1) }
        },
        .fails(.badClippingRectangle, "no number", "unit square") {
            options { $0.thumbnailClippingRectangle = UnitRectangle(x: .nan, y: 0, width: 1, height: 1) }
        },
        .passes(.badThumbnailTime, "none") { options { $0.thumbnailTime = nil } },
        .passes(.badThumbnailTime, "the last frame") { options(frames: 3) { $0.thumbnailTime = 2 } },
        .passes(.badThumbnailTime, "within the film") { film(seconds: 3) { $0.thumbnailTime = 2.9 } },
        .fails(.badThumbnailTime, "one frame too far", "no frame of the 3") {
            options(frames: 3) { $0.thumbnailTime = 3 }
        },
        .fails(.badThumbnailTime, "half a frame", "between two frames") {
            options(frames: 3) { $0.thumbnailTime = 0.5 }
        },
        .fails(.badThumbnailTime, "the film's end", "not before the end at 3.0 s") {
            film(seconds: 3) { $0.thumbnailTime = 3 }
        },
        .fails(.badThumbnailTime, "before the start", "before the start") {
            film(seconds: 3) { $0.thumbnailTime = -1 }
        },
    ]
}
