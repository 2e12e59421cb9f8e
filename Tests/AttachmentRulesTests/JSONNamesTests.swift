import AttachmentRules
import Testing

@Suite struct JSONNamesTests {
    @Test(
        "a name that stands twice in one object is told, however it is spelt",
        arguments: [
            (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"), (#"{"x":[{"b":1, "c":"," ,"b":2}]}"#, "b"),
            (#"{"":1,"":2}"#, ""), (#"{"aps":{"alert":"A"},"b":{},"aps":{}}"#, "aps"),
        ])
    func twice(_ document: String, name: String) {
        let error = #expect(throws: JSONValue.ReadError.self) {
            try JSONValue(document: Array(document.utf8), mostBytes: 1_000)
        }
        #expect(error?.reason == "has the name \"\(name)\" twice in one object")
    }

    @Test(
        "the same name in two objects, and a text that looks like one, is nothing odd",
        arguments: [
            #"{"a":{"a":1},"b":{"a":2}}"#, #"[{"a":1},{"a":2}]"#, #"{"a":"x\",\"a\":","b":"a"}"#, #"["a","a"]"#,
            #"{"a":["a","a"],"b":{"c":"b"}}"#, #""a""#, "[]",
        ])
    func once(_ document: String) throws {
        _ = try JSONValue(document: Array(document.utf8), mostBytes: 1_000)
    }
}
