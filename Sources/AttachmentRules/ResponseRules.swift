/// The rules URL005 to URL007: what an SDK makes of a server's answer.
public enum ResponseRules {
    /// A year, in seconds: the longest that RFC 9111's predecessor let a server promise.
    public static let leastAge = 31_536_000

    /// - Parameters:
    ///   - mediaType: of the file.
    ///   - bytes: length of the file; nil where it is not known, and any length will do.
    public static func findings(
        of head: ResponseHead, mediaType: MediaType, bytes: Int?, profile: Profile
    ) -> [Finding] {
        var list = FindingList(profile)
        let served = head["content-type"] ?? ""
        if served.lowercased() != mediaType.servedType {
            list.add(
                .servedType, .response,
                "Content-Type is \(Push.quoted(served)); serve \(mediaType.servedType) and nothing behind it")
        } else if let name = head["content-disposition"].flatMap(fileName),
            !mediaType.extensions.contains(where: { name.lowercased().hasSuffix("." + $0) })
        {
            list.add(
                .servedType, .response,
                "Content-Disposition names \(Push.quoted(name)), which does not end in .\(mediaType.preferredExtension); "
                    + "leave it out")
        }
        if let fault = fault(head.status, head["content-length"], bytes) { list.add(.servedResponse, .response, fault) }
        let caching = head["cache-control"] ?? ""
        if !isForGood(caching) {
            list.add(
                .servedCaching, .response,
                "Cache-Control is \(Push.quoted(caching)); serve public, max-age=\(leastAge), immutable")
        }
        return list.findings
    }

    private static func fault(_ status: Int, _ length: String?, _ bytes: Int?) -> String? {
        guard status == 200 else {
            let what = (300..<400).contains(status) ? "a redirect" : "no success"
            return "the status is \(status), \(what); serve the file itself with 200"
        }
        guard let length else { return "there is no Content-Length; serve the file with it" }
        guard let bytes, Int(length) != bytes else { return nil }
        return "Content-Length is \(Push.quoted(length)) and the file has \(bytes) bytes"
    }

    private static func isForGood(_ caching: String) -> Bool {
        let directives = caching.lowercased().split(separator: ",").map(ResponseHead.trimmed)
        let age = directives.first { $0.hasPrefix("max-age=") }.flatMap { Int($0.dropFirst("max-age=".count)) }
        return directives.contains("immutable") && age.map { $0 >= leastAge } ?? false
    }

    /// What a Content-Disposition calls the file.
    private static func fileName(_ disposition: String) -> String? {
        for part in disposition.split(separator: ";").map(ResponseHead.trimmed) {
            for name in ["filename=", "filename*="] where part.lowercased().hasPrefix(name) {
                return part.dropFirst(name.count).filter { $0 != "\"" }
            }
        }
        return nil
    }
}
