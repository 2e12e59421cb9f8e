import AttachmentRules
import MediaProbe

/// A file as its decoder is handed it.
struct HandedOver {
    let stream: DecoderStream
    /// The picture's own stream.
    let picture: [UInt8]

    init(_ bytes: [UInt8]) throws(Rejection) {
        stream = DecoderStream(of: bytes.span, facts: try examine(bytes), limits: Limits())
        picture = stream.picture.flatMap { piece in
            switch piece {
            case .source(let range): Array(bytes[range])
            case .new(let bytes): bytes
            }
        }
    }

    var notes: [Note.Code] { stream.facts.notes.map(\.code) }

    func has(_ text: String) -> Bool { contains(picture, ascii(text)) }
}

func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard bytes.count >= pattern.count else { return false }
    return (0...bytes.count - pattern.count).contains { bytes[$0...].starts(with: pattern) }
}
