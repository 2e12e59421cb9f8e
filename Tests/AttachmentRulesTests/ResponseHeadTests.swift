import AttachmentRules
import Testing

@Suite struct ResponseHeadTests {
    @Test("the first final response counts")
    func first() throws {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 302\r\nlocation: /b.jpg\r\n\r\nHTTP/2 200\r\nx: y\r\n\r\n"
        let response = try #require(ResponseHead(text))
        #expect(response.status == 302)
        #expect(response.headers.map(\.name) == ["location"])
        #expect(response.headers.map(\.value) == ["/b.jpg"])
    }

    @Test(
        "what is no response head",
        arguments: ["", "\n", "content-type: image/jpeg\n", "HTTP/2 OK\n", "HTTP/2\n", "HTTP/1.1 100 Continue\n\n"])
    func none(_ text: String) {
        #expect(ResponseHead(text) == nil)
    }

    @Test("lines may end in a line feed alone") func lineFeeds() {
        let response = ResponseHead("HTTP/1.1 200 OK\nContent-Type: image/jpeg\nContent-Length: 5\n")
        #expect(response?.status == 200 && response?.headers.count == 2)
    }
}
