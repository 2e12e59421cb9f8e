#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension JSONValue {
    /// Deepest nesting that is read; the reader calls itself for each level, on stacks of any size.
    public static let deepest = 32

    /// Why bytes are not the JSON that was asked for, as the end of a sentence.
    public struct ReadError: Error, Equatable, Sendable {
        public let reason: String
    }

    /// Reads one JSON document.
    ///
    /// - Parameters:
    ///   - mostBytes: a longer document is refused unread.
    ///   - isForSending: refuses whole numbers that would be sent as other ones, because they have more than 64 bits.
    public init(document: [UInt8], mostBytes: Int, isForSending: Bool = false) throws(ReadError) {
        guard document.count <= mostBytes else {
            throw ReadError(reason: "has \(document.count) bytes, of which \(mostBytes) are allowed")
        }
        guard String(validUTF8: document) != nil, !document.contains(0) else {
            throw ReadError(reason: "is not text in UTF-8")
        }
        guard Self.depth(of: document) <= Self.deepest else {
            throw ReadError(reason: "is nested deeper than \(Self.deepest) levels")
        }
        if isForSending, let number = Self.longInteger(in: document) {
            throw ReadError(reason: "has the number \(number), which is too long to stay the same; give it as a text")
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(document)) else {
            throw ReadError(reason: "is not JSON")
        }
        if let name = JSONNames.repeated(in: document) {
            throw ReadError(reason: "has the name \(Push.quoted(name)) twice in one object")
        }
        self = value
    }

    /// The first whole number that `Int` has no place for, cut to a length for messages.
    private static func longInteger(in document: [UInt8]) -> String? {
        var outside: [UInt8] = []
        forEachOutsideTexts(of: document) { outside.append($0) }
        let numbers = outside.split { !(0x30...0x39).contains($0) && !"+-.eE".utf8.contains($0) }
        for number in numbers where number.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) {
            let text = String(decoding: number, as: UTF8.self)
            if Int(text) == nil, number.count > 18 { return String(text.prefix(40)) }
        }
        return nil
    }

    /// The most brackets that are open at once, those in strings apart.
    private static func depth(of document: [UInt8]) -> Int {
        var deepest = 0
        var depth = 0
        forEachOutsideTexts(of: document) { byte in
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }

    /// Every byte that is no part of a string, of which the first quote is told.
    private static func forEachOutsideTexts(of document: [UInt8], _ body: (UInt8) -> Void) {
        var isText = false
        var isEscaped = false
        for byte in document {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            isText = byte == UInt8(ascii: "\"")
            body(byte)
        }
    }
}

extension String {
    /// Nil for what is not UTF-8. (`init(validating:as:)` is there from iOS 18 on only.)
    init?(validUTF8 bytes: [UInt8]) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
