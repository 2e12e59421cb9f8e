#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The names of members as they stand in a document, which is JSON.
enum JSONNames {
    /// A name that stands twice in one object, of which no reader promises which it takes; nil where there is none.
    static func repeated(in document: [UInt8]) -> String? {
        // The names of each object that is open; nil for a list.
        var open: [Set<String>?] = []
        var isName = false
        var index = 0
        while index < document.count {
            switch document[index] {
            case UInt8(ascii: "{"):
                open.append([])
                isName = true
            case UInt8(ascii: "["):
                open.append(nil)
                isName = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                isName = false
            case UInt8(ascii: ","): isName = open.last.map { $0 != nil } ?? false
            case UInt8(ascii: ":"): isName = false
            case UInt8(ascii: "\""):
                let end = endOfText(in: document, from: index)
                if isName, let object = open.popLast(), var names = object {
                    let name = text(document[index..<end])
                    guard names.insert(name).inserted else { return name }
                    open.append(names)
                }
                index = end
                continue
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Behind the closing quote.
    private static func endOfText(in document: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < document.count, document[index] != UInt8(ascii: "\"") {
            index += document[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, document.count)
    }

    /// What a text in quotes stands for.
    private static func text(_ quoted: ArraySlice<UInt8>) -> String {
        let list = [UInt8(ascii: "[")] + quoted + [UInt8(ascii: "]")]
        return (try? JSONDecoder().decode([String].self, from: Data(list)))?.first
            ?? String(decoding: quoted, as: UTF8.self)
    }
}
