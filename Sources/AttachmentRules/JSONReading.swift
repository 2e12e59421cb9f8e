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
    /// - Parameter mostBytes: a longer document is refused unread.
    public init(document: [UInt8], mostBytes: Int) throws(ReadError) {
        guard document.count <= mostBytes else {
            throw ReadError(reason: "has \(document.count) bytes, of which \(mostBytes) are allowed")
        }
        guard String(validUTF8: document) != nil, !document.contains(0) else {
            throw ReadError(reason: "is not text in UTF-8")
        }
        guard Self.depth(of: document) <= Self.deepest else {
            throw ReadError(reason: "is nested deeper than \(Self.deepest) levels")
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(document)) else {
            throw ReadError(reason: "is not JSON")
        }
        self = value
    }

    /// The most brackets that are open at once, those in strings apart.
    private static func depth(of document: [UInt8]) -> Int {
        var deepest = 0
        var depth = 0
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
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }
}

extension String {
    /// Nil for what is not UTF-8. (`init(validating:as:)` is there from iOS 18 on only.)
    init?(validUTF8 bytes: [UInt8]) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
