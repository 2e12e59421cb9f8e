import AttachmentRules
import Testing

@Suite struct ServedHeadersTests {
    @Test(
        "a server that says what the manifest says of a result passes every rule",
        arguments: MediaType.allCases.filter { $0.support != .none })
    func served(_ type: MediaType) throws {
        var output = Manifest.Output(width: 800, height: 600)
        output.mediaType = type
        output.sha256 = String(repeating: "a", count: 64)
        output.bytes = 61_234
        let http = try #require(ServedHeaders(output))
        #expect(http.entityTag == "\"\(String(repeating: "a", count: 64))\"")
        let head = ResponseHead(
            status: 200,
            headers: [
                .init("Content-Type", http.contentType), .init("Cache-Control", http.cacheControl),
                .init("Content-Length", "\(http.contentLength)"),
            ])
        #expect(ResponseRules.findings(of: head, mediaType: type, bytes: 61_234, profile: .ios) == [])
    }

    @Test("there is nothing to serve of what was only planned") func planned() {
        #expect(ServedHeaders(Manifest.Output(width: 800, height: 600)) == nil)
    }
}
